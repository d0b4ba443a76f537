package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.VerdictField;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.topology.intake.DeadLetters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records that a test sends under the test driver, numbered by a header, with the topic where each
 * ended.
 */
final class Ends {
  static final String NUMBER = "number";
  private static final int MOST_JUMPS = 200;

  /** Latest timestamp that brokers certainly accept; a later one may be replaced. */
  private static final long MOST_TAKEN_MS = Harness.NOON_MS + 1_800_000;

  private static final Duration JUMP = Duration.ofDays(365);

  /** Permitted headers of a record on each final topic. */
  private static final Map<String, Set<String>> SAYS =
      Map.of(
          "allowed",
          Set.of(
              VerdictField.VERDICT.header(),
              VerdictField.LIMIT.header(),
              VerdictField.REMAINING.header(),
              VerdictField.RESET_AFTER_MS.header(),
              DelayHeaders.RELEASE_AT_MS,
              VerdictField.ATTEMPT.header(),
              VerdictField.REASON.header(),
              VerdictHeaders.SHADOW),
          "rejected",
          Set.of(
              VerdictField.VERDICT.header(),
              VerdictField.LIMIT.header(),
              VerdictField.REMAINING.header(),
              VerdictField.RETRY_AFTER_MS.header(),
              VerdictField.RESET_AFTER_MS.header(),
              VerdictField.ATTEMPT.header(),
              VerdictField.REASON.header()),
          "dead letter",
          Set.of(DeadLetters.ERROR, DeadLetters.ERROR_REASON, DeadLetters.ERROR_ORIGIN));

  private final long seed;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<String, String> ended = new HashMap<>();
  private int dead;

  Ends(long seed) {
    this.seed = seed;
  }

  /** Record that is sent to the application. */
  record Sent(byte[] key, byte[] value, Headers headers, long timestampMs) {
    /** Headers without Sluice's names; of equal names the last one counts. */
    Map<String, String> othersHeaders() {
      Map<String, String> others = new HashMap<>();
      for (Header each : headers) {
        if (!isOurs(each.key())) others.put(each.key(), Harness.text(each));
      }
      return others;
    }
  }

  static boolean isOurs(String header) {
    return header.toLowerCase(Locale.ROOT).startsWith("sluice-");
  }

  void sent(Sent record, Consumer<Sent> sending) {
    Headers copy = new RecordHeaders(record.headers());
    sent.add(new Sent(record.key(), record.value(), copy, record.timestampMs()));
    try {
      sending.accept(record);
    } catch (RuntimeException e) {
      fail(which(sent.size() - 1), e);
    }
  }

  /** Number of dead letters. */
  int dead() {
    return dead;
  }

  private String which(int number) {
    Sent record = sent.get(number);
    return "seed %d, record %d: %s, key %s, at %d, %s"
        .formatted(
            seed,
            number,
            hex(record.value()),
            hex(record.key()),
            record.timestampMs(),
            cut(record.headers().toString()));
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(text.length(), 2_000));
  }

  private static String hex(byte[] bytes) {
    if (bytes == null) return "null";
    return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 500));
  }

  void read(Harness sluice) {
    sluice.allowed().forEach(each -> ends(each, "allowed"));
    sluice.rejected().forEach(each -> ends(each, "rejected"));
    for (Harness.Out each : sluice.deadLetters()) {
      ends(each, "dead letter");
      assertThat(each.header("sluice-error-origin")).matches("[a-z-]+-0-\\d+");
      assertThat(each.header("sluice-error"))
          .isNotBlank()
          .doesNotContain("\n")
          .hasSizeLessThan(1_000);
      dead++;
    }
  }

  private void ends(Harness.Out out, String where) {
    int number = Integer.parseInt(out.header(NUMBER));
    String before = ended.put(out.header(NUMBER), where);
    if (before != null) fail(which(number) + " is " + where + " and was " + before);
    Sent in = sent.get(number);
    String as = which(number);
    assertThat(out.value()).as(as).isEqualTo(in.value());
    assertThat(out.key()).as(as).isEqualTo(in.key());
    if (in.timestampMs() >= 0 && in.timestampMs() <= MOST_TAKEN_MS) {
      assertThat(out.timestampMs()).as(as).isEqualTo(in.timestampMs());
    } else {
      assertThat(out.timestampMs()).as(as).isNotNegative(); // no client sends such a timestamp
    }
    Map<String, String> ours = new HashMap<>(out.headers());
    ours.keySet().retainAll(out.headers().keySet().stream().filter(Ends::isOurs).toList());
    assertThat(SAYS.get(where)).as(as).containsAll(ours.keySet());
    assertThat(ours.getOrDefault("sluice-verdict", where)).as(as).isEqualTo(where);
    Map<String, String> others = new HashMap<>(out.headers());
    others.keySet().removeIf(Ends::isOurs);
    assertThat(others).as(as).isEqualTo(in.othersHeaders());
  }

  /** Advances the clock until no event is delayed. The latest due time is in the year 2200. */
  void awaitAll(Harness sluice) {
    for (int jumps = 0; jumps < MOST_JUMPS && ended.size() < sent.size(); jumps++) {
      sluice.delayed();
      sluice.advanceWall(JUMP);
      sluice.advanceWall(Duration.ofMillis(100));
      read(sluice);
    }
    for (int number = 0; number < sent.size(); number++) {
      if (!ended.containsKey(Integer.toString(number))) fail(which(number) + " has not ended");
    }
  }
}
