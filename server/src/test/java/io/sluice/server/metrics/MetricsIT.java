package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.App;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Tests of the metrics of an instance with every kind of limit, also while Redis is unavailable.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MetricsIT {
  private static final String[] LIMITS = {
    "sluice.limits=stored,remote,allow,reject,local,sms,watched,once,line",
    "sluice.limit.stored.match.action=stored",
    "sluice.limit.stored.quota=5/1h",
    "sluice.limit.remote.match.action=remote",
    "sluice.limit.remote.quota=5/1h",
    "sluice.limit.remote.backend=redis",
    "sluice.limit.allow.match.action=allow",
    "sluice.limit.allow.quota=5/1h",
    "sluice.limit.allow.backend=redis",
    "sluice.limit.allow.redis.unavailable=allow",
    "sluice.limit.reject.match.action=reject",
    "sluice.limit.reject.quota=5/1h",
    "sluice.limit.reject.backend=redis",
    "sluice.limit.reject.redis.unavailable=reject",
    "sluice.limit.local.match.action=local",
    "sluice.limit.local.quota=5/1h",
    "sluice.limit.local.backend=redis",
    "sluice.limit.local.redis.unavailable=state-store",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/1s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.watched.match.action=stored",
    "sluice.limit.watched.quota=2/1h",
    "sluice.limit.watched.mode=shadow",
    "sluice.limit.once.match.action=once",
    "sluice.limit.once.quota=1/1d",
    "sluice.limit.once.algorithm=bloom",
    "sluice.limit.once.key=userId,target",
    "sluice.limit.once.bloom.capacity=100",
    "sluice.limit.line.match.action=line",
    "sluice.limit.line.quota=1/1h",
    "sluice.limit.line.exceeded=queue",
    "sluice.limit.line.queue.max.length=2",
    "sluice.redis.timeout=500ms",
    "sluice.topics.partitions=6",
    "num.stream.threads=4",
    "sluice.http.port=0"
  };
  private static final Pattern ROW =
      Pattern.compile("\\| `((?:sluice|kafka)_[a-z0-9_]+)` \\| ([a-z]+) \\| ([^|]*)\\|.*");

  private final EmbeddedRedis redis = EmbeddedRedis.builder().start();
  private App app;
  private URI base;

  @BeforeAll
  void start() throws Exception {
    app = new App(Servers.shared(), with("sluice.redis.uri=" + redis.uri()));
    base = app.sluice.httpAddress().orElseThrow();
  }

  private static String[] with(String more) {
    String[] all = Arrays.copyOf(LIMITS, LIMITS.length + 1);
    all[LIMITS.length] = more;
    return all;
  }

  @AfterAll
  void stop() {
    app.close();
    redis.close();
  }

  private void publish(String action, int times) {
    for (int i = 0; i < times; i++) app.load.publish("ann", action);
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofMinutes(1)).untilAsserted(assertion);
  }

  private double count(Scrape scrape, String action) {
    return scrape.verdicts(action, "allowed") + scrape.verdicts(action, "rejected");
  }

  @Test
  @Order(1)
  void verdictsAreCountedOnBothBackends() throws Exception {
    publish("stored", 8);
    publish("remote", 9);
    publish("free", 3);
    publish("sms", 2);
    publish("line", 5);
    eventually(
        () -> {
          Scrape scrape = Scrape.of(base);
          assertThat(scrape.verdicts("stored", "allowed")).isEqualTo(5);
          assertThat(scrape.verdicts("stored", "rejected")).isEqualTo(3);
          assertThat(scrape.verdicts("remote", "allowed")).isEqualTo(5);
          assertThat(scrape.verdicts("remote", "rejected")).isEqualTo(4);
          assertThat(scrape.verdicts("", "allowed")).isEqualTo(3);
          assertThat(scrape.verdicts("sms", "delayed")).isEqualTo(1);
          assertThat(scrape.value("sluice_released_events_total")).isEqualTo(1);
          String line = "limit=\"line\"";
          assertThat(scrape.value("sluice_queue_length", "class=\"*\"", line)).isEqualTo(2);
          String full = "reason=\"queue-full\"";
          assertThat(scrape.value("sluice_queue_rejections_total", line, full)).isEqualTo(2);
          assertThat(scrape.value("sluice_redis_events_metered_total")).isEqualTo(9);
        });
    Scrape scrape = Scrape.of(base);
    String watched = "limit=\"watched\"";
    assertThat(scrape.value("sluice_shadow_events_total", watched, "verdict=\"rejected\""))
        .isEqualTo(6);
    assertThat(scrape.value("sluice_redis_round_trips_total")).isBetween(1.0, 9.0);
    assertThat(scrape.value("sluice_redis_batch_size_sum")).isEqualTo(9);
    assertThat(scrape.value("sluice_metering_seconds_count", "backend=\"redis\"")).isPositive();
    assertThat(scrape.value("sluice_event_latency_seconds_count")).isBetween(1.0, 30.0);
    assertThat(scrape.value("sluice_event_latency_seconds_max")).isBetween(0.0, 60.0);
    assertThat(scrape.value("sluice_redis_available")).isEqualTo(1);
    eventually(() -> assertThat(Scrape.of(base).value("sluice_ready")).isEqualTo(1));
  }

  @Test
  @Order(2)
  void javaManagementExtensionsHaveTheSameCounts() throws Exception {
    ObjectName name =
        new ObjectName("kafka.streams:type=sluice-metrics,limit=stored,verdict=rejected");
    assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, "events-total"))
        .isEqualTo(3.0);
  }

  @Test
  @Order(2)
  void soHasARegistryOfTheCallers() {
    assertThat(
            app.registry
                .get("sluice.events")
                .tags("limit", "stored", "verdict", "rejected")
                .functionCounter()
                .count())
        .isEqualTo(3);
    assertThat(app.registry.get("sluice.redis.batch.size").summary().totalAmount()).isEqualTo(9);
  }

  @Test
  @Order(3)
  void theManualsTablesAreWhatIsThere() throws Exception {
    Map<String, String> documented = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "metrics.md"))) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) continue;
      String labels = row.group(3).replace("`", "").trim();
      if (row.group(1).startsWith("kafka_")) labels += ", kafka_version";
      TreeSet<String> sorted = new TreeSet<>(List.of(labels.split(", ")));
      sorted.remove("");
      documented.put(row.group(1), row.group(2) + " " + sorted);
    }
    eventually(
        () ->
            assertThat(Scrape.of(base).described())
                .as("docs/metrics.md; a metric's type and labels")
                .isEqualTo(documented));
  }

  @Test
  @Order(4)
  void aScrapeOfFourThreadsAndSixPartitionsIsSmall() throws Exception {
    Scrape scrape = Scrape.of(base);
    assertThat(scrape.lines()).as("%s", scrape.described()).isLessThan(600);
  }

  @Test
  @Order(5)
  void aRedisThatGoesIsSeenAndSoIsWhatIsDoneWithoutIt() throws Exception {
    redis.kill();
    for (String action : new String[] {"allow", "reject", "local"}) publish(action, 7);
    eventually(
        () -> {
          Scrape scrape = Scrape.of(base);
          assertThat(scrape.value("sluice_redis_available")).isZero();
          for (String action : new String[] {"allow", "reject", "local"}) {
            assertThat(count(scrape, action)).as(action).isEqualTo(7);
          }
        });
    Scrape scrape = Scrape.of(base);
    assertThat(fallbacks(scrape)).isEqualTo("wait 0.0, allow 7.0, reject 7.0, state-store 7.0");
    assertThat(scrape.verdicts("local", "allowed")).isEqualTo(5);

    publish("remote", 4);
    eventually(
        () -> {
          assertThat(Scrape.of(base).value("sluice_redis_events_waiting")).isEqualTo(4);
          assertThat(fallbacks(Scrape.of(base))).startsWith("wait 4.0, ");
        });
    assertThat(Scrape.get(base, "/health/live").statusCode()).isEqualTo(200);
    assertThat(Scrape.get(base, "/health/ready").statusCode()).isEqualTo(200);

    redis.start();
    eventually(
        () -> {
          Scrape back = Scrape.of(base);
          assertThat(back.value("sluice_redis_available")).isEqualTo(1);
          assertThat(back.value("sluice_redis_events_waiting")).isZero();
          assertThat(count(back, "remote")).isEqualTo(13);
        });
  }

  private static String fallbacks(Scrape scrape) {
    return Stream.of("wait", "allow", "reject", "state-store")
        .map(
            policy ->
                policy
                    + " "
                    + scrape.value("sluice_redis_fallbacks_total", "policy=\"" + policy + "\""))
        .collect(Collectors.joining(", "));
  }

  @Test
  @Order(6)
  void whatHasEndedServesNothing() {
    app.sluice.close();
    assertThatThrownBy(() -> Scrape.get(base, "/health/live")).isInstanceOf(ConnectException.class);
  }
}
