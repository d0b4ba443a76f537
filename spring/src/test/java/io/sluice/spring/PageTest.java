package io.sluice.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.settings.ConfiguredLimits;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The examples in the README are right. */
class PageTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class Application {}

  @RestController
  static class Api {
    @RateLimit(period = 30, threshold = 2)
    @GetMapping("/api/hi")
    String hi() {
      return "hi";
    }
  }

  @Test
  void itsConfigurationIsSound() throws IOException {
    ConfiguredLimits limits = configured(block("yaml"));
    assertThat(limits.mistakes()).isEmpty();
    assertThat(limits.limits()).containsOnlyKeys("reply");
    assertThat(limits.redis().uri()).isEqualTo("redis://localhost:6379");
  }

  @Test
  void itsAnswerIsTheAnswer() throws IOException {
    try (App app = App.mvc(Application.class)) {
      for (int i = 0; i < 2; i++) Http.get(app, "/api/hi");
      HttpResponse<String> over = Http.get(app, "/api/hi");

      List<String> shown = block("text").lines().toList();
      assertThat(shown.get(0)).endsWith(" " + over.statusCode());
      for (String line : shown.subList(1, shown.indexOf(""))) {
        String name = line.substring(0, line.indexOf(':'));
        String text = line.substring(name.length() + 2);
        assertThat(Http.header(over, name)).as(name).isIn(text, text.replace("29", "30"));
      }
      String body = shown.get(shown.size() - 1).replaceFirst(", …}$", "");
      assertThat(plain(over.body())).containsAll(plain(body + "}"));
    }
  }

  /** Spring Boot would choose other versions. {@code .ci/outside} builds a project with these. */
  @Test
  void itNamesTheClientOfRedisAndItsPoolAsTheBomDoes() throws IOException {
    assertThat(Files.readString(Path.of("README.md")))
        .contains("<artifactId>jedis</artifactId>\n  <version>" + managed("jedis") + "<")
        .contains(
            "<artifactId>commons-pool2</artifactId>\n  <version>" + managed("commons-pool") + "<");
  }

  private static String managed(String name) throws IOException {
    String bom = Files.readString(Path.of("..", "bom", "pom.xml"));
    int start = bom.indexOf("<" + name + ".version>") + name.length() + 10;
    return bom.substring(start, bom.indexOf('<', start));
  }

  /** Splits a JSON object into its members. */
  private static List<String> plain(String json) {
    return List.of(json.substring(1, json.length() - 1).split(",(?=\")"));
  }

  private static String block(String language) throws IOException {
    String page = Files.readString(Path.of("README.md"));
    int start = page.indexOf("```" + language + "\n") + language.length() + 4;
    return page.substring(start, page.indexOf("\n```", start));
  }

  private static ConfiguredLimits configured(String yaml) throws IOException {
    StandardEnvironment environment = new StandardEnvironment();
    new YamlPropertySourceLoader()
        .load("page", new ByteArrayResource(yaml.getBytes(UTF_8)))
        .forEach(environment.getPropertySources()::addFirst);
    return ConfiguredLimits.of(environment);
  }
}
