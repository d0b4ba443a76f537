package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Sluice;
import io.sluice.testing.Asks;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The examples in docs/http.md and the OpenAPI description have the same fields as the instance's
 * answers.
 */
class HttpManualIT {
  private static final Path PAGE = Path.of("..", "docs", "http.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("`GET (\\S+)`\\s+```json\\n(.*?)\\n```", Pattern.DOTALL);
  private static final Pattern CHANGE =
      Pattern.compile(
          "`(PUT|POST) (\\S+)`.*?```json\\n(.*?)\\n```.*?```json\\n(.*?)\\n```", Pattern.DOTALL);
  private static final Pattern PUBLISHED = Pattern.compile("\"published\":\\[\"([^\"]*)\"");
  private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\":");
  private static final Pattern DESCRIBED = Pattern.compile("\"(/api/[^\"]*)\": \\{");
  private static final Path SCRIPTS =
      Path.of("../server/src/main/resources/io/sluice/server/web/page");
  private static final Pattern SIMPLE_PATH = Pattern.compile("(api/[a-z]+)[\"'`?]");
  private static final Pattern REQUIRED = Pattern.compile("\"required\": \\[([^\\]]*)\\]");

  /** Names that depend on the limit: fields of a key, and settings. */
  private static final Set<String> OF_EVENTS_AND_LIMITS = Set.of("userId", "reset");

  @Test
  void whatIsDescribedIsServed() throws Exception {
    SluiceConfig config = config();
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      URI base = sluice.httpAddress().orElseThrow();
      publish(config, "{\"userId\":\"ada\",\"action\":\"sms\"}");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> served(base, "/api/counts").contains("\"limit\":\"sms\""));
      Set<String> fields = changed(new Asks(base));
      // Changes take effect soon; until then the answers list them as planned.
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !served(base, "/api/limits").contains("sinceMs"));
      Map<String, Set<String>> examples =
          EXAMPLE
              .matcher(Files.readString(PAGE))
              .results()
              .collect(Collectors.toMap(each -> each.group(1), each -> fields(each.group(2))));
      assertThat(examples).hasSize(4);
      for (Map.Entry<String, Set<String>> each : examples.entrySet()) {
        assertThat(fields(served(base, each.getKey())))
            .as(each.getKey())
            .isEqualTo(each.getValue());
      }
      assertThatToolsAreTold(base, served(base, "/api/openapi.json"), fields);
    }
  }

  private static void publish(SluiceConfig config, String event) throws Exception {
    Servers.shared()
        .publish(
            config.inputTopics().get(0),
            List.of("ada".getBytes(UTF_8)),
            List.of(event.getBytes(UTF_8)));
  }

  /** Makes the page's changes, and returns the fields of the requests and answers. */
  private static Set<String> changed(Asks http) throws Exception {
    Set<String> all = new TreeSet<>();
    Set<String> paths = new TreeSet<>();
    Map<String, String> ids = new TreeMap<>(); // ids on the page -> ids of this run
    for (MatchResult each : CHANGE.matcher(Files.readString(PAGE)).results().toList()) {
      String path = each.group(2);
      String body = each.group(3);
      for (Map.Entry<String, String> id : ids.entrySet()) {
        path = path.replace(id.getKey(), id.getValue());
        body = body.replace(id.getKey(), id.getValue());
      }
      Asks.Answer answer = http.send(each.group(1), path, body);
      assertThat(answer.status()).as(path + answer.body()).isEqualTo(200);
      assertThat(fields(answer.body())).as(path).isEqualTo(fields(each.group(4)));
      assertThat(answer.body().contains("\"published\":[]"))
          .as(path)
          .isEqualTo(each.group(4).contains("\"published\":[]"));
      Matcher published = PUBLISHED.matcher(answer.body());
      Matcher described = PUBLISHED.matcher(each.group(4));
      if (published.find() && described.find()) {
        ids.putIfAbsent(described.group(1).substring(0, 8), published.group(1));
      }
      all.addAll(fields(each.group(3)));
      all.addAll(fields(answer.body()));
      paths.add(
          each.group(2).replaceAll("limits/[^/]+", "limits/{limit}").replace("d3998170", "{id}"));
    }
    assertThat(described(served(http.base(), "/api/openapi.json")))
        .filteredOn(HttpManualIT::isChange)
        .containsExactlyElementsOf(paths);
    return all;
  }

  private static Set<String> described(String description) {
    return DESCRIBED
        .matcher(description)
        .results()
        .map(each -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isChange(String path) {
    return path.endsWith("/undo") || (path.contains("{") && !path.endsWith("/key"));
  }

  private static void assertThatToolsAreTold(URI base, String description, Set<String> changes)
      throws Exception {
    Set<String> all = new TreeSet<>(changes);
    for (String path : described(description)) {
      String asked =
          path.replace("{limit}/key", "sms/key?userId=ada").replace("/top", "/top?by=allowed");
      boolean hasFields = !path.matches(".*/(openapi[.]json|stream|cancel)") && !isChange(path);
      if (hasFields) all.addAll(fields(served(base, asked)));
    }
    all.add("error");
    all.add("mistakes");
    all.removeAll(OF_EVENTS_AND_LIMITS);
    assertThat(described(description)).containsAll(askedByThePage());
    Set<String> required = new TreeSet<>();
    for (MatchResult each : REQUIRED.matcher(description).results().toList()) {
      for (String name : each.group(1).split(",")) required.add(name.strip().replace("\"", ""));
    }
    assertThat(all).containsAll(required);
    assertThat(description).contains(all.stream().map(name -> "\"" + name + "\"").toList());
  }

  private static Set<String> askedByThePage() throws Exception {
    Set<String> paths = new TreeSet<>();
    try (Stream<Path> files = Files.list(SCRIPTS)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".js")).toList()) {
        SIMPLE_PATH
            .matcher(Files.readString(each))
            .results()
            .forEach(found -> paths.add("/" + found.group(1)));
      }
    }
    assertThat(paths).contains("/api/stream", "/api/top");
    return paths;
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

  /** Returns the page's own configuration, with the addresses of the test's servers. */
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
