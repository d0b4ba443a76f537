package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.live.kafka.Right;
import io.sluice.rules.StartException;
import io.sluice.server.Sluice;
import io.sluice.server.cluster.ManualRights.Row;
import io.sluice.testing.Asks;
import io.sluice.testing.LogLines;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the manual's rights on a broker that grants no others: with all of them everything
 * works, and without any one of them an instance ends soon and names it.
 */
@Tag("slow") // starts an instance for each missing right
class RightsIT {
  private static final String EXACTLY_ONCE = "exactly_once_v2";
  private static final String AT_LEAST_ONCE = "at_least_once";
  private static final int DELAYED = 3;
  private static final int OTHERS = 4;
  private static final Duration MOST = Duration.ofMinutes(2);
  private static final AtomicInteger APPLICATIONS = new AtomicInteger();
  private static SecuredKafka kafka;

  /** Suffix, so that no topic has the prefix of internal topics' names. */
  private final String number = "-of-" + APPLICATIONS.incrementAndGet();

  private final String application = "sluice" + number;

  @BeforeAll
  static void start() {
    kafka = new SecuredKafka();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void tableAndCommandsOfTheManualSayTheSame() {
    assertThat(ManualRights.ofTheTable()).hasSizeGreaterThan(15);
    assertThat(ManualRights.ofTheTable().stream().map(Row::right))
        .containsExactlyInAnyOrderElementsOf(ManualRights.ofTheCommands());
  }

  static Stream<Arguments> guaranteesAndProtocols() {
    return Servers.variants(
        Arguments.of(EXACTLY_ONCE, "classic"),
        Arguments.of(AT_LEAST_ONCE, "classic"),
        Arguments.of(EXACTLY_ONCE, "streams"),
        Arguments.of(AT_LEAST_ONCE, "streams"));
  }

  @ParameterizedTest
  @MethodSource("guaranteesAndProtocols")
  void withTheRightsOfTheManualEverythingWorks(String guarantee, String protocol) throws Exception {
    kafka.grant(rights(needed(guarantee)));
    Map<String, String> settings = settings(guarantee);
    settings.put("group.protocol", protocol);
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish();
      await()
          .atMost(MOST)
          .untilAsserted(
              () -> {
                assertThat(written("allowed-actions")).isGreaterThanOrEqualTo(1 + DELAYED);
                assertThat(written("rejected-actions")).isGreaterThanOrEqualTo(OTHERS - 1);
                assertThat(written("delayed-actions")).isGreaterThanOrEqualTo(DELAYED - 1);
                assertThat(written("dead-letter-actions")).isPositive();
                assertThat(kafka.written(application + "-home-repartition")).isPositive();
              });
      assertThat(sluice.failure()).isEmpty();
    }
  }

  @Test
  void topicsThatAreThereNeedNotBeCreated() throws Exception {
    kafka.grant(rights(needed(EXACTLY_ONCE)));
    Sluice.start(config(EXACTLY_ONCE)).close();
    List<Row> toCreate = needed(EXACTLY_ONCE).stream().filter(Row::isToCreate).toList();
    kafka.revoke(rights(toCreate));

    try (Sluice sluice = Sluice.start(config(EXACTLY_ONCE))) {
      assertThat(sluice.awaitRunning()).isTrue();
    }
  }

  @Test
  void whoMayNotTellOthersOfItsLimitsRunsAndSaysSo() throws Exception {
    kafka.grant(rights(needed(EXACTLY_ONCE).stream().filter(row -> !row.isOnlyWanted()).toList()));
    try (LogLines lines = LogLines.of("io.sluice.live.Announcer");
        LogLines retention = LogLines.of("io.sluice.live.kafka.TopicId");
        Sluice sluice = Sluice.start(config(EXACTLY_ONCE))) {
      assertThat(sluice.awaitRunning()).isTrue();
      await().atMost(MOST).until(() -> !lines.lines().isEmpty());
      assertThat(lines.lines())
          .singleElement()
          .asString()
          .startsWith(
              "WARN cannot announce the limits of this instance to other instances, and tries again"
                  + " every minute: not allowed to")
          .contains("WRITE topic " + topic("sluice-limits") + " as User:sluice; grant it: ");
      assertThat(retention.lines())
          .singleElement()
          .asString()
          .startsWith("WARN delete.retention.ms of " + topic("sluice-limits") + " cannot be read")
          .contains("DESCRIBE_CONFIGS topic " + topic("sluice-limits"), "; grant it: ");
    }
  }

  @Test
  void whoMayNotChangeLimitsIsToldSoOverHttp() throws Exception {
    kafka.grant(rights(needed(EXACTLY_ONCE).stream().filter(row -> !row.isOnlyWanted()).toList()));
    Map<String, String> settings = settings(EXACTLY_ONCE);
    settings.put("sluice.http.port", "0");
    settings.put("sluice.http.write", "true");
    try (Sluice sluice = Sluice.start(SluiceConfig.of(settings))) {
      assertThat(sluice.awaitRunning()).isTrue();
      Asks http = new Asks(sluice.httpAddress().orElseThrow());
      Asks.Answer refused = http.put("/api/limits/reply", "{\"set\":{\"quota\":\"2/1h\"}}");
      assertThat(refused.status()).as(refused.body()).isEqualTo(403);
      assertThat(refused.body())
          .contains("not allowed to ", "WRITE topic " + topic("sluice-limits"), "User:sluice");
      assertThat(http.get("/api/history").body()).contains("\"revisions\":[]");
    }
  }

  static Stream<Arguments> eachRight() {
    return TestScale.some(3, rightsOfEachGuarantee());
  }

  private static Stream<Arguments> rightsOfEachGuarantee() {
    return Stream.of(EXACTLY_ONCE, AT_LEAST_ONCE)
        .flatMap(
            each ->
                needed(each).stream()
                    .filter(row -> !row.isOnlyWanted())
                    .map(row -> Arguments.of(each, row)));
  }

  @ParameterizedTest
  @MethodSource("eachRight")
  void withoutARightFromTheBeginningItEndsAndSaysWhich(String guarantee, Row row) throws Exception {
    kafka.grant(rights(needed(guarantee).stream().filter(each -> !each.equals(row)).toList()));

    assertThat(untilTheEnd(guarantee, sluice -> {})).satisfies(line -> names(row, line));
  }

  static Stream<Arguments> eachRightThatIsUsed() {
    return TestScale.some(
        2,
        rightsOfEachGuarantee()
            .filter(each -> ((Row) each.get()[1]).right().operation() != AclOperation.CREATE));
  }

  @ParameterizedTest
  @MethodSource("eachRightThatIsUsed")
  void withoutARightThatItHadItEndsAndSaysWhich(String guarantee, Row row) throws Exception {
    kafka.grant(rights(needed(guarantee)));

    assertThat(untilTheEnd(guarantee, sluice -> loses(row, sluice)))
        .satisfies(line -> names(row, line));
  }

  private void loses(Row row, Sluice sluice) throws Exception {
    assertThat(sluice.awaitRunning()).isTrue();
    kafka.revoke(rights(List.of(row)));
  }

  @Test
  void whoIsRefusedIsToldSo() {
    Map<String, String> settings = settings(EXACTLY_ONCE);
    settings.computeIfPresent(
        "sasl.jaas.config", (key, login) -> login.replace("secret too", "wrong"));

    assertThatThrownBy(() -> Sluice.start(SluiceConfig.of(settings)))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("Kafka at ")
        .hasMessageContaining(" rejects the login: ")
        .message()
        .hasLineCount(1);
  }

  @FunctionalInterface
  private interface Change {
    void to(Sluice sluice) throws Exception;
  }

  /** Runs an instance until it fails, at the start or later; returns the line of its failure. */
  private String untilTheEnd(String guarantee, Change change) throws Exception {
    try (Sluice sluice = Sluice.start(config(guarantee))) {
      CompletableFuture<Void> end = CompletableFuture.runAsync(() -> awaitEnd(sluice));
      change.to(sluice);
      publish();
      end.get(MOST.toSeconds(), TimeUnit.SECONDS);
      assertThat(sluice.hasFailed()).isTrue();
      return sluice.failure().orElseThrow();
    } catch (StartException e) {
      return e.getMessage();
    }
  }

  private static void awaitEnd(Sluice sluice) {
    try {
      sluice.awaitEnd();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void names(Row row, String line) {
    Right right = here(row);
    assertThat(line)
        .hasLineCount(1)
        .startsWith("not allowed to " + right + " as User:sluice; grant it: ")
        .endsWith("--allow-principal User:sluice " + right.arguments());
  }

  private static List<Row> needed(String guarantee) {
    return ManualRights.ofTheTable().stream()
        .filter(row -> guarantee.equals(EXACTLY_ONCE) || !row.isForTransactions())
        .toList();
  }

  private List<Right> rights(List<Row> rows) {
    return rows.stream().map(this::here).toList();
  }

  /** Returns a right of the manual with the names of this application. */
  private Right here(Row row) {
    Right right = row.right();
    Function<String, String> named =
        right.pattern() == PatternType.PREFIXED
            ? name -> application + "-"
            : name -> right.resource() == ResourceType.TOPIC ? topic(name) : application;
    return new Right(
        right.operation(), right.resource(), named.apply(right.name()), right.pattern());
  }

  private String topic(String name) {
    return name + number;
  }

  private long written(String topic) throws Exception {
    return kafka.written(topic(topic));
  }

  private SluiceConfig config(String guarantee) {
    return SluiceConfig.of(settings(guarantee));
  }

  private Map<String, String> settings(String guarantee) {
    Map<String, String> settings = new HashMap<>(kafka.sluice());
    settings.put("application.id", application);
    settings.put("processing.guarantee", guarantee);
    settings.put("state.dir", Servers.folder().toString());
    settings.put("sluice.topics.input", topic("user-actions"));
    for (String output : List.of("allowed", "rejected", "delayed", "dead-letter")) {
      settings.put("sluice.topics." + output, topic(output + "-actions"));
    }
    settings.put("sluice.topics.limits", topic("sluice-limits"));
    settings.put("sluice.topics.partitions", "2");
    settings.put("sluice.limits", "reply,sms");
    settings.put("sluice.limit.reply.match.action", "reply");
    settings.put("sluice.limit.reply.quota", "1/1h");
    settings.put("sluice.limit.sms.match.action", "sms");
    settings.put("sluice.limit.sms.quota", "1/1s");
    settings.put("sluice.limit.sms.exceeded", "delay");
    return settings;
  }

  /**
   * Publishes events for each verdict, some not on their home partition, and one invalid record.
   */
  private void publish() throws Exception {
    List<String[]> records = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      records.add(new String[] {"key" + i, "{\"userId\":\"ann\",\"action\":\"reply\"}"});
    }
    for (int i = 0; i < DELAYED; i++) {
      records.add(new String[] {"ann", "{\"userId\":\"ann\",\"action\":\"sms\"}"});
    }
    records.add(new String[] {"ann", "{}"});
    kafka.publish(topic("user-actions"), records);
  }
}
