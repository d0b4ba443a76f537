package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.OutputTopics;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.FakeRedis;
import io.sluice.topology.redis.RedisBreaker;
import io.sluice.topology.revision.CurrentLimits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** Events that are due and to be metered again, with a Redis by hand. */
class RetriesTest {
  private static final long DUE_MS = 1_700_000_000_000L;

  private final SluiceConfig config =
      SluiceConfig.of(
          ConfigText.without(
              "sluice.redis.uri=redis://localhost",
              "sluice.limits=waits,passes,stored",
              "sluice.limit.waits.match.action=waits,both",
              "sluice.limit.waits.quota=5/60s",
              "sluice.limit.waits.exceeded=retry",
              "sluice.limit.waits.backend=redis",
              "sluice.limit.passes.match.action=passes",
              "sluice.limit.passes.quota=5/60s",
              "sluice.limit.passes.exceeded=retry",
              "sluice.limit.passes.backend=redis",
              "sluice.limit.passes.redis.unavailable=allow",
              "sluice.limit.stored.match.action=stored,both",
              "sluice.limit.stored.quota=5/60s",
              "sluice.limit.stored.exceeded=retry"));
  private final FakeRedis redis = new FakeRedis();
  private final Instruments instruments = new Instruments(config.limits());
  private final RedisBreaker breaker = redis.breaker(instruments.redis());
  private final Retries retries = retries();

  private Retries retries() {
    DelayPath path =
        DelayPath.of(
            config,
            CurrentLimits.of(config),
            HomePartitioner.of(config, 1),
            () -> 0,
            instruments.delayed());
    EventOpener opener =
        new EventOpener(config.eventDecoder(), InstantSource.system(), config.timeMaxAhead());
    ShaperProcessor.Node node =
        new ShaperProcessor.Node(
            path,
            CurrentLimits.of(config),
            Arrivals.of(config),
            opener,
            breaker,
            new DeadLetters(counted -> {}, RecordSizes.any(), OutputTopics.one("dead-letters")),
            new ThreadBudget.Threads());
    MockProcessorContext<byte[], EventRecord> context =
        new MockProcessorContext<>(new Properties());
    context.setCurrentStreamTimeMs(DUE_MS);
    context.setCurrentSystemTimeMs(DUE_MS);
    return new Retries(node, context);
  }

  private Retries.Retry retry(String value, int attempt, long offset) {
    Headers headers =
        new RecordHeaders()
            .add("sluice-release-at-ms", utf8(DUE_MS + offset))
            .add("sluice-release-to", utf8("meter"))
            .add("sluice-attempt", utf8(attempt))
            .add("sluice-origin", utf8("user-actions-0-" + offset));
    Record<byte[], EventRecord> record =
        new Record<>(null, new EventRecord(utf8(value)), DUE_MS - 60_000, headers);
    DelayedEvent delayed = new DelayedEvent(record, true, Turn.NONE);
    return retries.open(DueKey.of(DUE_MS + offset, offset), delayed);
  }

  private Retries.Retry of(String action, long offset) {
    return retry("{\"userId\":\"ann\",\"action\":\"" + action + "\"}", 1, offset);
  }

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(UTF_8);
  }

  @Test
  void itIsTheSameEventOnItsNextAttempt() {
    EventRecord event = retry("{\"userId\":\"ann\",\"action\":\"waits\"}", 3, 17).event();
    assertThat(event.attempt()).isEqualTo(4);
    assertThat(event.origin()).isEqualTo(Origin.of("user-actions", 0, 17));
    assertThat(event.event().eventId()).isEqualTo("user-actions-0-17");
    assertThat(event.timestampMs()).isEqualTo(DUE_MS - 60_000);
    assertThat(event.event().occurredAtMs()).isEqualTo(DUE_MS - 60_000);
  }

  @Test
  void redisIsAskedAtOnceAndInOrderAboutThoseThatTheStateStoreHasNoSayIn() {
    List<Retries.Retry> due = new ArrayList<>();
    String[] actions = {"waits", "stored", "both", "passes", "unmatched", "waits"};
    for (int i = 0; i < actions.length; i++) due.add(of(actions[i], i));
    retries.ask(due);
    assertThat(redis.calls).isOne();
    assertThat(redis.asked.stream().map(request -> request.arrival().nowMicros()))
        .containsExactly(DUE_MS * 1_000, (DUE_MS + 3) * 1_000, (DUE_MS + 5) * 1_000);
    assertThat(due).noneMatch(Retries.Retry::isStuck);
    assertThat(due.stream().filter(each -> each.event().question().isPresent())).hasSize(3);
  }

  @Test
  void withoutRedisOnlyWhatMustWaitForItIsStuck() {
    redis.there = false;
    Retries.Retry waits = of("waits", 0);
    Retries.Retry passes = of("passes", 1);
    Retries.Retry stored = of("stored", 2);
    retries.ask(List.of(waits, passes, stored));
    assertThat(waits.isStuck()).isTrue();
    assertThat(passes.isStuck()).isFalse();
    assertThat(stored.isStuck()).isFalse();
    assertThat(breaker.waiting()).isOne();
  }

  @Test
  void whatCannotBeReadAnyMoreIsFaultyAndAskedOfNobody() {
    Retries.Retry changed = retry("no event", 1, 9);
    retries.ask(List.of(changed));
    assertThat(changed.event().isFaulty()).isTrue();
    assertThat(changed.event().origin()).isEqualTo(Origin.of("user-actions", 0, 9));
    assertThat(changed.isStuck()).isFalse();
    assertThat(redis.asked).isEmpty();
  }
}
