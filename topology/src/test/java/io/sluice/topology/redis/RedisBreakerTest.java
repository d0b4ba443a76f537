package io.sluice.topology.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.CircuitBreaker;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.junit.jupiter.api.Test;

/** Tests of the breaker with a Redis whose availability the test controls. */
class RedisBreakerTest {
  private final SluiceConfig config =
      SluiceConfig.of(
          ConfigText.without(
              "sluice.redis.uri=redis://localhost",
              "sluice.limits=waits,passes",
              "sluice.limit.waits.quota=5/60s",
              "sluice.limit.waits.backend=redis",
              "sluice.limit.passes.quota=5/60s",
              "sluice.limit.passes.backend=redis",
              "sluice.limit.passes.redis.unavailable=allow"));
  private final FakeRedis redis = new FakeRedis();
  private final LaterByHand later = new LaterByHand();
  private final Switch processing = new Switch();
  private final RedisMetrics metrics = new Instruments(config.limits()).redis();
  private final RedisBreaker breaker =
      new RedisBreaker("app", () -> redis, metrics, later, () -> {});

  RedisBreakerTest() {
    breaker.governs(() -> processing.paused = true, () -> processing.paused = false);
  }

  private static final class Switch {
    boolean paused;
  }

  private PendingVerdict question(String limit, int partition, long atMicros) {
    Limit asked =
        config.limits().all().stream()
            .filter(each -> each.name().equals(limit))
            .findFirst()
            .orElseThrow();
    Identity.Source source = new Identity.Source("in-0-" + atMicros, "ann", 1, 1);
    return new PendingVerdict(
        partition,
        List.of(asked),
        Request.of(
            new Arrival(Identity.of(source), 1, atMicros),
            List.of(new Bucket(asked.rule(), "ann"))),
        Duplicates.REJECT);
  }

  private void goesAway() {
    redis.there = false;
    assertThatThrownBy(() -> breaker.ask(question("passes", 0, 1)))
        .isInstanceOf(LimiterUnavailableException.class);
  }

  @Test
  void whileRedisIsGoneNobodyElseIsMadeToWait() {
    goesAway();
    redis.there = true;
    assertThat(breaker.isGone()).isTrue();
    assertThatThrownBy(() -> breaker.ask(question("passes", 0, 2)))
        .isInstanceOf(LimiterUnavailableException.class);
    assertThat(redis.asked).isEmpty();
  }

  /** Other programs may write to the topic of delayed events. */
  @Test
  void onlyPositionsOfItsOwnPartitionAreBelieved() {
    TopicPartition input = new TopicPartition("user-1-actions", 2);
    Position ahead = breaker.ahead(input, 7);
    Position atItsTurn =
        breaker.atItsTurn(new ProcessorRecordContext(0, 7, 2, input.topic(), new RecordHeaders()));
    for (Position own : List.of(ahead, atItsTurn)) {
      assertThat(breaker.askedBefore(own, 2)).isEqualTo(own);
      assertThat(breaker.askedBefore(own, 1)).isEqualTo(Position.NONE);
    }
    for (String forged : List.of("", "app", "app/", "other/in-2", "app/in-2/else", "app/a b-2")) {
      assertThat(breaker.askedBefore(new Position(forged, 7), 2))
          .as(forged)
          .isEqualTo(Position.NONE);
    }
  }

  /** A compacted topic has large gaps between the offsets of its records. */
  @Test
  void theAnswersToTheLast20000RecordsAreKept() {
    TopicPartition input = new TopicPartition("in", 2);
    for (int i = 0; i < 60_000; i++) {
      Position position = breaker.ahead(input, i * 1_000L);
      assertThat(i - position.keptFrom() / 1_000).isBetween(Math.min(i, 20_000L), 22_000L);
      // A reader before this one may have asked about the first records in the other way.
      assertThat(position.other()).isEqualTo(i < 20_000 ? "app/in-2/at-its-turn" : "");
    }
    Position again = breaker.ahead(input, 59_000_000);
    assertThat(again.keptFrom()).as("read again from its last commit").isEqualTo(58_980_000);
    assertThat(again.other()).isNotEmpty();
    for (int i = 1; i < 30_000; i++) breaker.ahead(input, 59_000_000 + i);
    breaker.forget(2);
    assertThat(breaker.ahead(input, 70_000_000).other())
        .as("another instance may have read it meanwhile")
        .isNotEmpty();
  }

  @Test
  void itIsFoundToBeBackInTheBackground() {
    goesAway();
    later.passMs(1_000);
    assertThat(breaker.isGone()).isTrue();
    redis.there = true;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(breaker.isGone()).isFalse();
    breaker.ask(question("passes", 0, 3));
    assertThat(redis.askedAtMicros()).containsExactly(3L);
  }

  @Test
  void whatMustWaitStopsProcessingAndIsAskedAboutInOrderBeforeItGoesOn() {
    goesAway();
    PendingVerdict first = question("waits", 0, 10);
    PendingVerdict passing = question("passes", 0, 11);
    PendingVerdict second = question("waits", 0, 12);
    breaker.askAhead(List.of(first, passing, second).iterator());
    assertThat(processing.paused).isTrue();
    assertThat(breaker.waiting()).isEqualTo(2);

    redis.there = true;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(redis.askedAtMicros()).containsExactly(10L, 12L);
    assertThat(first.isAnswered() && second.isAnswered()).isTrue();
    assertThat(passing.isAnswered()).isFalse();
    assertThat(processing.paused).isFalse();
  }

  @Test
  void processingGoesOnOnlyWhenAllAreAnswered() {
    goesAway();
    breaker.askAhead(List.of(question("waits", 0, 10), question("waits", 0, 11)).iterator());
    redis.there = true;
    redis.answersLeft = 1;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(processing.paused).isTrue();
    assertThat(breaker.isGone()).isTrue();

    redis.answersLeft = Integer.MAX_VALUE;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(redis.askedAtMicros()).containsExactly(10L, 11L);
    assertThat(processing.paused).isFalse();
  }

  @Test
  void whoWaitsOnAPartitionThatIsSomebodyElsesIsForgotten() {
    goesAway();
    breaker.askAhead(List.of(question("waits", 0, 10), question("waits", 1, 11)).iterator());
    breaker.forget(0);
    redis.there = true;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(redis.askedAtMicros()).containsExactly(11L);
  }

  @Test
  void anErrorOfOneKeyIsNoOutage() {
    redis.brokenKey = "ann";
    PendingVerdict question = question("waits", 0, 10);
    breaker.askAhead(List.of(question).iterator());
    assertThat(processing.paused).isFalse();
    assertThat(breaker.isGone()).isFalse();
    assertThatThrownBy(() -> breaker.answer(question)).isInstanceOf(UnreadableKeyException.class);
    assertThat(redis.asked).as("ahead, and twice at its turn").hasSize(3);
    assertThat(breaker.isGone()).isFalse();
  }

  @Test
  void whoWaitedAndHasAKeyThatCannotBeUsedKeepsNobodyWaiting() {
    goesAway();
    PendingVerdict question = question("waits", 0, 10);
    breaker.askAhead(List.of(question).iterator());
    redis.there = true;
    redis.brokenKey = "ann";
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(processing.paused).isFalse();
    assertThat(breaker.isGone()).isFalse();
    assertThat(question.isAnswered()).isFalse();
  }

  /** Covers questions that are asked while events are processed. */
  @Test
  void onlyTheFirstWaitsForAMomentAndAllAreCountedUntilRedisIsBack() {
    redis.there = false;
    for (int i = 0; i < 3; i++) {
      PendingVerdict question = question("waits", 0, i);
      assertThatThrownBy(() -> breaker.answer(question))
          .isInstanceOf(LimiterUnavailableException.class);
    }
    assertThat(processing.paused).isTrue();
    assertThat(metrics.waiting()).isEqualTo(3);
    redis.there = true;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(processing.paused).isFalse();
    assertThat(metrics.waiting()).isZero();
  }

  @Test
  void anEventThatIsSetAsideOnAPartitionOfAnotherInstanceIsNotCountedAnyMore() {
    redis.there = false;
    for (int partition = 0; partition < 3; partition++) {
      PendingVerdict question = question("waits", partition, partition);
      assertThatThrownBy(() -> breaker.answer(question))
          .isInstanceOf(LimiterUnavailableException.class);
    }
    breaker.forget(1);
    assertThat(metrics.waiting()).isEqualTo(2);
  }

  /** The wait grows with each failure, until Redis has been available for a while. */
  @Test
  void aRedisThatComesOnlyToGoAgainIsTriedLessOften() {
    long waitMs = CircuitBreaker.FIRST_RETRY_MS;
    for (int i = 0; i < 3; i++) {
      goesAway();
      redis.there = true;
      int probes = redis.probes;
      later.passMs(waitMs - 1);
      assertThat(redis.probes).as("after %s ms", waitMs - 1).isEqualTo(probes);
      later.passMs(1);
      assertThat(breaker.isGone()).isFalse();
      waitMs *= 2;
    }
    later.passMs(10_000);
    goesAway();
    redis.there = true;
    later.passMs(CircuitBreaker.FIRST_RETRY_MS);
    assertThat(breaker.isGone()).isFalse();
  }
}
