package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Servers;
import io.sluice.topology.Sluice;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Scrape;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page about HTTP, and the description for tools: they have the fields that are served. */
class HttpManualIT {
  private static final Path PAGE = Path.of("..", "docs", "http.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("`GET (\\S+)`\\s+```json\\n(.*?)\\n```", Pattern.DOTALL);
  private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\":");
  private static final Pattern DESCRIBED = Pattern.compile("\"(/api/[^\"]*)\": \\{");
  private static final Pattern REQUIRED = Pattern.compile("\"required\": \\[([^\\]]*)\\]");

  @Test
  void whatIsDescribedIsServed() throws Exception {
    try (Sluice sluice = Sluice.start(config())) {
      assertThat(sluice.awaitRunning()).isTrue();
      URI base = sluice.httpAddress().orElseThrow();
      Map<String, Set<String>> examples =
          EXAMPLE
              .matcher(Files.readString(PAGE))
              .results()
              .collect(Collectors.toMap(each -> each.group(1), each -> fields(each.group(2))));
      assertThat(examples).hasSize(3);
      for (Map.Entry<String, Set<String>> each : examples.entrySet()) {
        assertThat(fields(served(base, each.getKey())))
            .as(each.getKey())
            .isEqualTo(each.getValue());
      }
      assertThatToolsAreTold(base, served(base, "/api/openapi.json"));
    }
  }

  private static void assertThatToolsAreTold(URI base, String description) throws Exception {
    Set<String> all = new TreeSet<>();
    for (MatchResult path : DESCRIBED.matcher(description).results().toList()) {
      String asked = path.group(1).replace("{limit}/key", "sms/key?userId=ada");
      if (!asked.contains("openapi")) all.addAll(fields(served(base, asked)));
    }
    all.add("error");
    all.remove("userId"); // a field of a key, which may be any
    Set<String> required = new TreeSet<>();
    for (MatchResult each : REQUIRED.matcher(description).results().toList()) {
      for (String name : each.group(1).split(",")) required.add(name.strip().replace("\"", ""));
    }
    assertThat(all).containsAll(required);
    assertThat(description).contains(all.stream().map(name -> "\"" + name + "\"").toList());
  }

  private static String served(URI base, String path) throws Exception {
    var response = Scrape.get(base, path);
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return response.body();
  }

  private static Set<String> fields(String json) {
    return FIELD
        .matcher(json)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The page's own, where there are servers. */
  private static SluiceConfig config() throws Exception {
    String page = Files.readString(PAGE);
    Properties given = new Properties();
    given.load(
        new java.io.StringReader(page.replaceFirst("(?s).*?```properties\\n(.*?)```.*", "$1")));
    Map<String, String> settings = new TreeMap<>();
    given.stringPropertyNames().forEach(key -> settings.put(key, given.getProperty(key)));
    settings.putAll(Servers.shared().settings("sluice.http.port=0"));
    return SluiceConfig.of(settings);
  }
}
