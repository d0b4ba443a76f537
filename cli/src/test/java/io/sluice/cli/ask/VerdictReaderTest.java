package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.ask.PastVerdict.Rule;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Contents of a verdict read from a topic. */
class VerdictReaderTest {
  private static final long AT_MS = 1_700_000_000_000L;
  private static final Map<String, String> ADA = Map.of("userId", "ada");

  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "bootstrap.servers", "localhost:9092",
              "application.id", "app",
              "sluice.limits", "reply",
              "sluice.limit.reply.quota", "5/60s"));
  private final RecordHeaders headers = new RecordHeaders();
  private String value = "{\"eventId\":\"e1\",\"userId\":\"ada\",\"action\":\"reply\"}";

  private VerdictReaderTest with(String key, String text) {
    settings.put(key, text);
    return this;
  }

  private VerdictReaderTest header(String name, String text) {
    headers.add(name, text.getBytes(UTF_8));
    return this;
  }

  private Optional<PastVerdict> read(String topic, String... revisions) throws Exception {
    SluiceConfig config = SluiceConfig.of(settings);
    LimitsInForce limits = LimitsInForce.of(config.limitsConfig());
    int line = 0;
    for (String each : revisions) limits = limits.with(revision(each, ++line));
    return new VerdictReader(config, limits).read(record(topic), Wanted.of(config, ADA));
  }

  private static LimitRevision revision(String json, int line) throws Exception {
    return new RevisionReader().ofLine(json, line);
  }

  private ConsumerRecord<byte[], byte[]> record(String topic) {
    return new ConsumerRecord<>(
        topic,
        2,
        7,
        AT_MS,
        TimestampType.CREATE_TIME,
        0,
        0,
        new byte[0],
        value.getBytes(UTF_8),
        headers,
        Optional.empty());
  }

  @Test
  void theTopicSaysTheVerdictAndTheHeadersWhy() throws Exception {
    header("sluice-verdict", "allowed;limit=reply;remaining=0;reason=over-limit");
    assertThat(read("rejected-actions").orElseThrow().json())
        .isEqualTo(
            "{\"atMs\":1700000000000,\"eventId\":\"e1\",\"action\":\"reply\","
                + "\"verdict\":\"rejected\",\"reason\":\"over-limit\",\"limit\":\"reply\","
                + "\"because\":\"file\",\"remaining\":0,\"record\":\"rejected-actions-2-7\"}");
    value = value.replace("ada", "bob");
    assertThat(read("rejected-actions")).isEmpty();
    value = "no event";
    assertThatThrownBy(() -> read("rejected-actions")).isInstanceOf(UnreadableEventException.class);
  }

  @Test
  void ordersAboutWaitingEventsAreNoEvents() throws Exception {
    header("sluice-control", "cancel");
    value = "{\"id\":\"c1\",\"for\":{\"userId\":\"ada\"}}";
    assertThat(read("delayed-actions")).isEmpty();
  }

  @Test
  void theRuleIsThatOfTheEventsOwnTime() throws Exception {
    header("sluice-limit", "reply");
    String before = "{\"limit\":\"reply\",\"set\":{\"quota\":\"9/60s\"},\"effectiveAt\":%d}";
    String own = before.replace("\"set\"", "\"for\":{\"userId\":\"ada\"},\"set\"");
    assertThat(read("allowed-actions", before.formatted(AT_MS)).orElseThrow().rule())
        .isEqualTo(new Rule("revision", List.of("line 0000001")));
    assertThat(read("allowed-actions", before.formatted(AT_MS + 1)).orElseThrow().rule())
        .isEqualTo(new Rule("file", List.of()));
    assertThat(read("allowed-actions", own.formatted(AT_MS)).orElseThrow().rule().because())
        .isEqualTo("override");
  }

  @Test
  void theRevisionThatDeniesEverythingIsNamed() throws Exception {
    header("sluice-reason", "denied");
    String block =
        "{\"limit\":\"*\",\"for\":{\"userId\":\"ada\"},\"set\":{\"verdict\":\"reject\"},\"effectiveAt\":%d}"
            .formatted(AT_MS);
    assertThat(read("rejected-actions", block).orElseThrow().rule())
        .isEqualTo(new Rule("override", List.of("line 0000001")));
  }

  @Test
  void aRuleThatCannotBeKnownIsNotGuessed() throws Exception {
    assertThat(read("allowed-actions").orElseThrow().rule()).isEqualTo(Rule.UNKNOWN);
    header("sluice-limit", "gone");
    assertThat(read("allowed-actions").orElseThrow().rule()).isEqualTo(Rule.UNKNOWN);
    header("sluice-limit", "reply");
    assertThat(read("allowed-actions").orElseThrow().rule().because()).isEqualTo("file");
    header("sluice-attempt", "2");
    assertThat(read("allowed-actions").orElseThrow().rule()).isEqualTo(Rule.UNKNOWN);
    header("sluice-attempt", "1");
    with("sluice.time", "wall");
    assertThat(read("allowed-actions").orElseThrow().rule()).isEqualTo(Rule.UNKNOWN);
  }

  @Test
  void theInputIsTheActionOnlyWhereItIsKnown() throws Exception {
    value = "{\"userId\":\"ada\"}";
    with("sluice.topics.input", "sms,replies").with("sluice.event.action", "");
    assertThat(read("allowed-actions").orElseThrow().action()).isEmpty();
    with("sluice.topics.allowed", "{input}-allowed");
    PastVerdict replied = read("replies-allowed").orElseThrow();
    assertThat(replied.action()).isEqualTo("replies");
    assertThat(replied.eventId()).isEmpty();
    header("sluice-origin", "replies-1-5");
    assertThat(read("delayed-actions").orElseThrow().action()).isEqualTo("replies");
    assertThatThrownBy(
            () -> Wanted.of(SluiceConfig.of(settings), Map.of("topic", "sms", "userId", "ada")))
        .hasMessageContaining("the inputs share an output topic");
  }

  @Test
  void selectorsOfOneInputNeedOutputsOfTheirOwn() {
    with("sluice.topics.input", "sms,replies").with("sluice.input.sms.event.user", "$key");
    assertThatThrownBy(() -> Wanted.of(SluiceConfig.of(settings), ADA))
        .hasMessageContaining("use {input} in the names of the outputs");
    with("sluice.topics.allowed", "{input}-allowed").with("sluice.topics.rejected", "{input}-no");
    assertThat(Wanted.of(SluiceConfig.of(settings), ADA).values()).hasSize(1);
    with("sluice.topics.input", "sms").with("sluice.topics.allowed", "allowed");
    assertThat(Wanted.of(SluiceConfig.of(settings), ADA).values()).hasSize(1);
  }

  @Test
  void whatOthersWroteDoesNotBreakTheTableNorTheJson() throws Exception {
    value = value.replace("e1", "x".repeat(5_000)).replace("reply", "re\\u001b[Jply\\n");
    header("sluice-limit", "a\u001b[J\n\u202e");
    header("sluice-retry-after-ms", "99999999999999999999");
    header("sluice-release-at-ms", "-1");
    header("sluice-attempt", "NaN");
    PastVerdict verdict = read("delayed-actions").orElseThrow();
    assertThat(verdict.eventId()).hasSize(1_001);
    assertThat(verdict.json()).hasLineCount(1).doesNotContain("retryAfterMs", "NaN");
    StringWriter table = new StringWriter();
    LastTable.print(List.of(verdict), new PrintWriter(table, true));
    assertThat(table.toString().lines()).hasSize(3);
    assertThat(table.toString()).contains("a?[J??").doesNotContain("\u001b", "\u202e");
  }
}
