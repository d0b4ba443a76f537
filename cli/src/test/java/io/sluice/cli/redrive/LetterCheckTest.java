package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.cli.redrive.LetterFate.Left;
import io.sluice.cli.redrive.LetterFate.Sendable;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.RecordSizes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LetterCheckTest {
  private static final String EVENT = "{\"userId\":\"ada\",\"action\":\"post\"}";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "bootstrap.servers", "localhost:9092",
          "application.id", "sluice",
          "sluice.topics.input", "user-actions,replies",
          "sluice.limits", "");

  private static LetterCheck check(String... settings) {
    Map<String, String> all = new HashMap<>(SETTINGS);
    for (String each : settings) all.put(each.split("=")[0], each.split("=", 2)[1]);
    SluiceConfig config = SluiceConfig.of(all);
    return new LetterCheck(
        config,
        LimitsInForce.of(config.limitsConfig()),
        RecordSizes.any(),
        Map.of("user-actions", 4, "replies", 4));
  }

  private static Headers from(String origin, String... more) {
    Headers headers = TestLetters.headers(more);
    TestLetters.headers("sluice-error", "x", "sluice-error-origin", origin).forEach(headers::add);
    return headers;
  }

  private static LetterFate fate(LetterCheck check, String value, Headers headers) {
    return check.of(TestLetters.letter(7, value, headers));
  }

  private static ProducerRecord<byte[], byte[]> sent(LetterFate fate) {
    assertThat(fate).isInstanceOf(Sendable.class);
    return ((Sendable) fate).original();
  }

  private static Left left(LetterFate fate) {
    assertThat(fate).isInstanceOf(Left.class);
    return (Left) fate;
  }

  @Test
  void aReadableLetterGoesBackAsItWas() {
    Headers headers =
        from("replies-3-17", "trace", "1", "trace", "2", "sluice-error-reason", "undecodable");
    ProducerRecord<byte[], byte[]> sent = sent(fate(check(), EVENT, headers));
    assertThat(sent.topic()).isEqualTo("replies");
    assertThat(sent.partition()).isEqualTo(3);
    assertThat(sent.timestamp()).isEqualTo(TestLetters.TIME_MS);
    assertThat(sent.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(sent.value()).isEqualTo(EVENT.getBytes(UTF_8));
    assertThat(StreamSupport.stream(sent.headers().spliterator(), false).map(Header::key))
        .isEqualTo(List.of("trace", "trace"));
  }

  @Test
  void whatIsStillUnreadableStaysAndSaysWhy() {
    String other = "{\"user\":{\"id\":\"ada\"},\"action\":\"post\"}";
    Left left = left(fate(check(), other, from("replies-0-1")));
    assertThat(left.cause()).isEqualTo(Cause.UNREADABLE);
    assertThat(left.why()).isEqualTo("userId is missing");
    sent(fate(check("sluice.event.user=user.id"), other, from("replies-0-1")));
    assertThat(left(fate(check(), null, from("replies-0-1"))).cause()).isEqualTo(Cause.UNREADABLE);
  }

  /** The application passes such records on without metering, or drops them. */
  @Test
  void aRecordThatIsNoEventGoesBackIfTheApplicationPassesItOn() {
    String anonymous = "{\"action\":\"post\"}";
    LetterCheck allow = check("sluice.tombstones=allow", "sluice.event.missing=allow");
    assertThat(sent(fate(allow, null, from("replies-0-1"))).value()).isNull();
    sent(fate(allow, anonymous, from("replies-0-1")));
    assertThat(left(fate(allow, "", from("replies-0-1"))).cause()).isEqualTo(Cause.UNREADABLE);

    LetterCheck drop = check("sluice.tombstones=drop", "sluice.event.missing=drop");
    assertThat(left(fate(drop, null, from("replies-0-1"))))
        .isEqualTo(new Left(Cause.OTHER, "the application would drop it: the value is empty"));
    assertThat(left(fate(drop, anonymous, from("replies-0-1"))))
        .isEqualTo(new Left(Cause.OTHER, "the application would drop it: userId is missing"));
  }

  /** Such an event was in the future when it became a dead letter, and may not be any more. */
  @Test
  void anEventInTheFutureStays() {
    long laterMs = System.currentTimeMillis() + 3_600_000;
    String later = "{\"userId\":\"ada\",\"action\":\"post\",\"occurredAt\":" + laterMs + "}";
    assertThat(left(fate(check(), later, from("replies-0-1"))).why()).contains("in the future");
    sent(fate(check("sluice.time.max.ahead=2h"), later, from("replies-0-1")));
  }

  /** The name of the input topic is the action of such an event. */
  @Test
  void anEventWithoutAnActionGoesBackIfItNeedsNone() {
    assertThat(left(fate(check(), "{\"userId\":\"ada\"}", from("replies-0-1"))).why())
        .isEqualTo("action is missing");
    LetterCheck check = check("sluice.event.action=");
    assertThat(sent(fate(check, "{\"userId\":\"ada\"}", from("replies-0-1"))).topic())
        .isEqualTo("replies");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delayed-actions-0-1 | it came from delayed-actions-0-1, and lacks the headers",
        "payments-0-1 | it came from payments-0-1, which is no input topic",
        "dead-letter-actions-0-1 | it came from dead-letter-actions-0-1, which is no input topic",
        "replies-4-1 | it came from replies-4-1, and the topic has no such partition",
        "replies-0-1.2 | its sluice-error-origin is no topic-partition-offset: replies-0-1.2",
        "replies | its sluice-error-origin is no topic-partition-offset: replies",
        "'' | it has no sluice-error-origin",
      })
  void aLetterOfAnotherOriginGoesNowhere(String origin, String why) {
    Left left = left(fate(check(), EVENT, from(origin)));
    assertThat(left.cause()).isEqualTo(Cause.OTHER);
    assertThat(left.why()).startsWith(why);
  }

  @Test
  void aLetterOfAnotherProgramGoesNowhere() {
    assertThat(left(fate(check(), EVENT, TestLetters.headers())).cause()).isEqualTo(Cause.OTHER);
  }

  @Test
  void aLetterWithoutItsValueStays() {
    Headers headers = from("replies-0-1", "sluice-error-left-out", "value");
    Left left = left(fate(check(), null, headers));
    assertThat(left.cause()).isEqualTo(Cause.LEFT_OUT);
    assertThat(left.why()).isEqualTo("it lacks value of replies-0-1");
  }
}
