package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.common.Progress;
import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.runtime.cluster.RedriveSender.Returned;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RedriveRunTest {
  private static final long ALL = Long.MAX_VALUE;

  private final List<Integer> transactions = new ArrayList<>();
  private final Map<Long, String> refusals = new HashMap<>();

  /** Letters with offsets from 0; each fifth one is unreadable, as its value says. */
  private final class Fakes implements RedriveRun.Letters {
    private final int count;
    private final Set<Long> sent;
    private int next;

    Fakes(int count, Long... sent) {
      this.count = count;
      this.sent = Set.of(sent);
    }

    @Override
    public Optional<ConsumerRecord<byte[], byte[]>> next() {
      if (next == count) return Optional.empty();
      String value = next % 5 == 4 ? "bad" : "good";
      String reason = next % 2 == 0 ? "undecodable" : "empty";
      return Optional.of(
          TestLetters.letter(next++, value, TestLetters.headers("sluice-error-reason", reason)));
    }

    @Override
    public long percent() {
      return next * 100L / count;
    }

    @Override
    public boolean wants(ConsumerRecord<byte[], byte[]> letter) {
      return true;
    }

    @Override
    public boolean isSent(ConsumerRecord<byte[], byte[]> letter) {
      return sent.contains(letter.offset());
    }

    @Override
    public LetterFate fate(ConsumerRecord<byte[], byte[]> letter) {
      return new String(letter.value(), UTF_8).equals("bad")
          ? new LetterFate.Left(Cause.UNREADABLE, "bad JSON")
          : new LetterFate.Sendable(new ProducerRecord<>("user-actions", letter.value()));
    }
  }

  private Map<Returned, String> send(Collection<Returned> letters) {
    Map<Returned, String> refused = new HashMap<>();
    for (Returned each : letters) {
      String why = refusals.get(each.letter().offset());
      if (why != null) refused.put(each, why);
    }
    transactions.add(letters.size() - refused.size());
    return refused;
  }

  private RedriveRun run(RedriveRun.Letters letters, long most) {
    return new RedriveRun(letters, this::send, most, new Progress(new PrintWriter(System.err)));
  }

  private static List<String> printed(RedriveRun run) {
    StringWriter text = new StringWriter();
    run.result().print(new PrintWriter(text), false);
    return text.toString().lines().toList();
  }

  @Test
  void lettersAreSentInTransactionsOfSomeHundred() {
    RedriveRun run = run(new Fakes(1_500), ALL);
    assertThat(run.take()).isTrue();
    assertThat(transactions).containsExactly(500, 500, 200);
    assertThat(run.isEnough()).isFalse();
    assertThat(printed(run))
        .startsWith(
            "reason       letters  sent  still unreadable  left out  other",
            "empty            750   600               150         0      0",
            "undecodable      750   600               150         0      0",
            "(all)           1500  1200               300         0      0")
        .contains("  dead-letter-actions-0-4: bad JSON", "  ...");
  }

  @Test
  void atMostTheLimitIsSent() {
    RedriveRun run = run(new Fakes(1_500), 501);
    assertThat(run.take()).isTrue();
    assertThat(transactions).containsExactly(500, 1);
    assertThat(run.isEnough()).isTrue();
  }

  @Test
  void lettersThatATopicRefusesDoNotCountAsSent() {
    refusals.put(0L, "too large");
    RedriveRun run = run(new Fakes(20), 3);
    assertThat(run.take()).isTrue();
    assertThat(run.result().sent()).isEqualTo(3);
    assertThat(printed(run))
        .contains(
            "1 other: they are not sent to an input topic:",
            "  dead-letter-actions-0-0: user-actions refuses it: too large");
  }

  @Test
  void lettersOfEarlierRunsAreNotSentAgain() {
    RedriveRun run = run(new Fakes(4, 0L, 2L), ALL);
    assertThat(run.take()).isTrue();
    assertThat(transactions).containsExactly(2);
    assertThat(printed(run)).contains("2 more were sent by earlier runs");
  }

  @Test
  void aClosedRunSendsNothingMore() {
    RedriveRun run = run(new Fakes(10), ALL);
    run.close();
    assertThat(run.take()).isFalse();
    assertThat(transactions).isEmpty();
  }

  @Test
  void aFilterSelectsByTimeAndReason() {
    ConsumerRecord<byte[], byte[]> letter =
        TestLetters.letter(0, "x", TestLetters.headers("sluice-error-reason", "invalid-field"));
    ConsumerRecord<byte[], byte[]> other =
        TestLetters.letter(0, "x", TestLetters.headers("sluice-error-reason", "\u001b[2J"));
    Instant at = Instant.ofEpochMilli(TestLetters.TIME_MS);
    assertThat(LetterFilter.of(at, List.of()).wants(letter)).isTrue();
    assertThat(LetterFilter.of(at, List.of("invalid-field")).wants(letter)).isTrue();
    assertThat(LetterFilter.of(at, List.of("empty", "too-large")).wants(letter)).isFalse();
    assertThat(LetterFilter.of(at.plusMillis(1), List.of()).wants(letter)).isFalse();
    assertThat(LetterFilter.of(at, List.of()).wants(other)).isTrue();
    assertThat(LetterFilter.reason(other)).isEqualTo("(unknown)");
  }
}
