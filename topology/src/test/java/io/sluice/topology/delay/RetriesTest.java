package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.RawRecord;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.FakeRedis;
import io.sluice.topology.redis.RedisBreaker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Tests of events that are due to be metered again, with a Redis that the test controls. */
class RetriesTest {
  private static final long DUE_MS = 1_700_000_000_000L;

  private static final Origin ORIGIN = Origin.of("user-actions", 0, 3);

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
  private final List<EventRecord> metered = new ArrayList<>();
  private final MockProcessorContext<byte[], EventRecord> context =
      new MockProcessorContext<>(new Properties());
  private Runnable afterMetered = () -> {};
  private long wallMs;
  private long msPerLook;
  private final DelayPath path =
      DelayPath.of(
          new MeteringServices(
              config,
              CurrentLimits.of(config.limitsConfig()),
              HomePartitioner.of(config, 1),
              new EventOpener(config.eventDecoder(), InstantSource.system(), config.timeMaxAhead()),
              breaker,
              instruments),
          () -> wallMs += msPerLook,
          "");
  private Retries retries;

  RetriesTest() {
    var store = path.waiting().withLoggingDisabled().build();
    store.init(context.getStateStoreContext(), store);
    context.setCurrentStreamTimeMs(DUE_MS - 1);
    context.setCurrentSystemTimeMs(DUE_MS);
    start(InputLag.none());
  }

  private void start(InputLag lag) {
    Retries.Parts parts =
        new Retries.Parts(
            path,
            lag,
            new DeadLetters(counted -> {}, RecordSizes.any(), OutputTopics.one("dead-letters")),
            new ThreadBudget.Threads());
    retries = new Retries(parts, context, this::metered);
  }

  private void metered(Record<byte[], EventRecord> record) {
    metered.add(record.value());
    afterMetered.run();
  }

  private InputLag nothingLeft() {
    InputLag lag = InputLag.of(config, () -> true);
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>(AutoOffsetResetStrategy.EARLIEST.name());
    consumer.assign(List.of());
    lag.watched(consumer).poll(Duration.ZERO);
    return lag;
  }

  private void add(String value, int attempt, long offset) {
    Headers headers =
        new RecordHeaders()
            .add("sluice-release-at-ms", utf8(DUE_MS + offset))
            .add("sluice-release-to", utf8("held"))
            .add("sluice-attempt", utf8(attempt))
            .add("sluice-origin", utf8("user-actions-0-" + offset));
    retries.add(new Record<>(null, opened(value), DUE_MS - 60_000, headers), DUE_MS + offset);
  }

  private static EventRecord opened(String value) {
    EventRecord event = new EventRecord(utf8(value));
    event.opened(TestEvent.event("ann", "none", ""), ORIGIN, DUE_MS - 60_000);
    return event;
  }

  /** Sets an event aside that found Redis unavailable and has not been metered. */
  private void setAside(String user, String action) {
    Headers headers =
        new RecordHeaders()
            .add("sluice-release-at-ms", utf8(DUE_MS - 50))
            .add("sluice-release-to", utf8("held"))
            .add("sluice-attempt", utf8(0))
            .add("sluice-origin", utf8("user-actions-0-1"));
    String value = "{\"userId\":\"" + user + "\",\"action\":\"" + action + "\"}";
    retries.setAside(new Record<>(null, opened(value), DUE_MS - 60_000, headers));
  }

  private void tick(long afterDueMs) {
    context.setCurrentSystemTimeMs(DUE_MS + afterDueMs);
    retries.tick();
  }

  private void add(String user, String action, long offset) {
    add("{\"userId\":\"" + user + "\",\"action\":\"" + action + "\"}", 1, offset);
  }

  private void anEventComesAt(long afterDueMs) {
    anEventComesAt(afterDueMs, ORIGIN, false);
  }

  private void anEventComesAt(long afterDueMs, Origin origin, boolean hopped) {
    context.setCurrentStreamTimeMs(DUE_MS + afterDueMs);
    String json = "{\"userId\":\"ann\",\"action\":\"none\",\"occurredAt\":%d}";
    EventRecord event = new EventRecord(utf8(json.formatted(DUE_MS + afterDueMs)));
    try {
      event.opened(
          config.eventDecoder().decode(RawRecord.ofValue(event.bytes(), origin, 0)), origin, 0);
    } catch (UnreadableEventException e) {
      throw new AssertionError(e);
    }
    retries.reach(event, hopped);
  }

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(UTF_8);
  }

  @Test
  void itIsTheSameEventOnItsNextAttempt() {
    add("{\"userId\":\"ann\",\"action\":\"stored\"}", 3, 17);
    anEventComesAt(16);
    assertThat(metered).isEmpty();
    anEventComesAt(17);
    EventRecord event = metered.get(0);
    assertThat(event.attempt()).isEqualTo(4);
    assertThat(event.origin()).isEqualTo(Origin.of("user-actions", 0, 17));
    assertThat(event.event().eventId()).isEqualTo("user-actions-0-17");
    assertThat(event.timestampMs()).isEqualTo(DUE_MS - 60_000);
    assertThat(event.event().occurredAtMs()).isEqualTo(DUE_MS - 60_000);
  }

  @Test
  void redisIsAskedAtOnceAboutThoseThatDoNotDependOnEachOther() {
    for (int i = 0; i < 5; i++) add("user" + i, "waits", i);
    anEventComesAt(10);
    assertThat(redis.calls).isOne();
    assertThat(redis.asked.stream().map(request -> request.arrival().nowMicros() / 1_000 - DUE_MS))
        .containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(metered).allMatch(event -> event.question().isPresent());
  }

  /**
   * The retry of the first event may come before the second event, so each is asked about alone.
   */
  @Test
  void redisIsAskedOneAfterTheOtherAboutTheSameKey() {
    for (int i = 0; i < 3; i++) add("ann", "waits", i);
    anEventComesAt(10);
    assertThat(redis.calls).isEqualTo(3);
  }

  @Test
  void redisIsNotAskedAheadWhereTheStateStoreHasASay() {
    String[] actions = {"stored", "both", "unmatched"};
    for (int i = 0; i < actions.length; i++) add("ann", actions[i], i);
    anEventComesAt(10);
    assertThat(redis.calls).isZero();
    assertThat(metered).hasSize(3).noneMatch(event -> event.question().isPresent());
  }

  @Test
  void withoutRedisOnlyWhatMustWaitForItStays() {
    redis.there = false;
    add("ann", "waits", 0);
    add("ann", "passes", 1);
    add("ann", "stored", 2);
    anEventComesAt(10);
    assertThat(metered)
        .extracting(event -> event.event().action())
        .containsExactly("passes", "stored");
    assertThat(breaker.waiting()).isOne();
  }

  @Test
  void whatCannotBeReadAnyMoreIsFaultyAndAskedOfNobody() {
    add("no event", 1, 9);
    anEventComesAt(10);
    assertThat(metered).singleElement().matches(EventRecord::isFaulty);
    assertThat(metered.get(0).origin()).isEqualTo(Origin.of("user-actions", 0, 9));
    assertThat(redis.asked).isEmpty();
  }

  @Test
  void eachIsMeteredInTheOrderOfItsDueTime() {
    for (long offset : List.of(5, 3, 9, 4)) add("ann", "stored", offset);
    anEventComesAt(5);
    anEventComesAt(20);
    assertThat(metered).extracting(event -> event.dueMs() - DUE_MS).containsExactly(3L, 4L, 5L, 9L);
  }

  /** The order in which input partitions meet at the home partition is accidental. */
  @Test
  void onlyEventsOfItsInputPartitionMoveItsClock() {
    add("ann", "stored", 5);
    anEventComesAt(60, Origin.of("user-actions", 1, 7), true);
    anEventComesAt(60, Origin.of("other-actions", 0, 7), false);
    assertThat(metered).isEmpty();
    anEventComesAt(6);
    assertThat(metered).hasSize(1);
  }

  @Test
  void whenNoInputIsLeftTheWallClockDecidesForAllInputs() {
    add("ann", "stored", 5);
    add("bob", "stored", 3);
    tick(4);
    assertThat(metered).extracting(event -> event.dueMs() - DUE_MS).containsExactly(3L);
    tick(5);
    assertThat(metered).extracting(event -> event.dueMs() - DUE_MS).containsExactly(3L, 5L);
  }

  @Test
  void oneOfTheSameMillisecondIsNeverLost() {
    for (int i = 0; i < 3; i++) add("ann", "stored", 7);
    anEventComesAt(7);
    assertThat(metered).hasSize(3);
  }

  private List<Long> meteredDueMs() {
    return metered.stream().map(event -> event.dueMs() - DUE_MS).toList();
  }

  /** The home partition does not know how much is left of the input partition of an event. */
  @Test
  void aRetryThatCameByTheHopWaitsUntilItsInputHasBeenQuietForASecond() {
    start(nothingLeft());
    add("ann", "stored", 5);
    anEventComesAt(1, ORIGIN, true);
    tick(999);
    assertThat(metered).isEmpty();
    tick(1_000);
    assertThat(meteredDueMs()).containsExactly(5L);
  }

  @Test
  void aRetryThatCameDirectlyWaitsOnlyForTheWallClockIfNoInputIsLeft() {
    start(nothingLeft());
    add("ann", "stored", 5);
    anEventComesAt(1);
    tick(4);
    assertThat(metered).isEmpty();
    tick(5);
    assertThat(meteredDueMs()).containsExactly(5L);
  }

  /** Events that came meanwhile are not polled yet. */
  @Test
  void theLagIsNotBelievedByAProcessThatHasStoodStill() {
    start(nothingLeft());
    add("ann", "stored", 5);
    anEventComesAt(1);
    tick(10_000);
    assertThat(metered).isEmpty();
    tick(11_000);
    assertThat(meteredDueMs()).containsExactly(5L);
  }

  /** Other applications may schedule events, with any origin. */
  @Test
  void anEventFromElsewhereFollowsTheClockOfTheTask() {
    InputLag left =
        InputLag.of(SluiceConfig.of(ConfigText.without("group.protocol=streams")), () -> true);
    start(left);
    left.processed(new At("user-actions", 0, 1), DUE_MS + 900);
    for (String origin : List.of("delayed-actions-0-7", "any thing")) {
      String json = "{\"userId\":\"ann\",\"action\":\"stored\"}";
      Headers headers =
          new RecordHeaders()
              .add("sluice-release-at-ms", utf8(DUE_MS + 5))
              .add("sluice-release-to", utf8("meter"))
              .add("sluice-origin", utf8(origin));
      EventRecord event = new EventRecord(utf8(json));
      event.opened(TestEvent.event("ann", "none", ""), Origin.parse(origin), 0);
      retries.add(new Record<>(null, event, 0, headers), DUE_MS + 5);
    }
    anEventComesAt(4);
    tick(999);
    assertThat(metered).isEmpty();
    anEventComesAt(5);
    tick(1_000);
    assertThat(meteredDueMs()).containsExactly(5L, 5L);
  }

  /** Redis may be slow, and the broker aborts a transaction after 10 s. */
  @Test
  void theTimeIsBoundedThatRetriesTakeBeforeAnEvent() {
    for (int i = 0; i < 100; i++) add("ann", "stored", i);
    msPerLook = 100;
    retries.begin();
    anEventComesAt(200);
    int before = metered.size();
    assertThat(before).isGreaterThan(1).isLessThan(100);
    retries.begin();
    anEventComesAt(201);
    assertThat(metered.size()).isGreaterThan(before);
    msPerLook = 0;
    retries.begin();
    anEventComesAt(202);
    assertThat(metered).hasSize(100);
    assertThat(meteredDueMs()).isSorted();
  }

  @Test
  void retriesStayBehindThoseThatWaitIfRedisComesBackBetweenThem() {
    redis.there = false;
    add("ann", "waits", 1);
    add("bob", "stored", 2);
    add("cat", "waits", 3);
    add("dan", "waits", 4);
    afterMetered = redis::comesBack;
    anEventComesAt(5);
    assertThat(metered).singleElement().matches(event -> event.event().userId().equals("bob"));
    assertThat(breaker.waiting()).isZero();
    anEventComesAt(6);
    assertThat(metered)
        .extracting(event -> event.event().userId())
        .containsExactly("bob", "ann", "cat", "dan");
  }

  /** The clock of an instance that takes over may be behind. */
  @Test
  void whatWaitsForRedisIsInTheOrderInWhichItWasSetAsideByWhateverClocks() {
    redis.there = false;
    add("ann", "waits", 1);
    anEventComesAt(2);
    retries.close();
    context.setCurrentSystemTimeMs(DUE_MS - 60_000);
    start(InputLag.none());
    setAside("bob", "waits");
    setAside("cat", "waits");
    redis.comesBack();
    anEventComesAt(10);
    assertThat(metered)
        .extracting(event -> event.event().userId())
        .containsExactly("ann", "bob", "cat");
    redis.there = false;
    setAside("dan", "waits");
    redis.comesBack();
    anEventComesAt(11);
    assertThat(metered).hasSize(4);
  }

  private record At(String topic, int partition, long offset) implements RecordMetadata {}

  /** Events within the allowed lateness come after the retry. */
  @Test
  void aRetryOfAnInputThatStandsStillIsMeteredWhenNoEventCanComeBeforeIt() {
    InputLag left =
        InputLag.of(SluiceConfig.of(ConfigText.without("group.protocol=streams")), () -> true);
    start(left);
    left.processed(new At("other-actions", 0, 1), DUE_MS + 900);
    add("ann", "stored", 5);
    long latenessMs = config.timeLateness().toMillis();
    anEventComesAt(latenessMs + 4, Origin.of("other-actions", 0, 7), false);
    tick(1_000);
    assertThat(metered).isEmpty();
    anEventComesAt(latenessMs + 5, Origin.of("other-actions", 0, 8), false);
    tick(1_001);
    assertThat(meteredDueMs()).containsExactly(5L);
  }

  @Test
  void afterARestartTheNextEventSaysWhatIsDue() {
    for (long offset : List.of(7, 9, 5)) add("ann", "stored", offset);
    anEventComesAt(4);
    retries.close();
    start(InputLag.none());
    add("ann", "stored", 7);
    anEventComesAt(3);
    assertThat(metered).isEmpty();
    anEventComesAt(8);
    assertThat(meteredDueMs()).containsExactly(5L, 7L, 7L);
    tick(9);
    assertThat(meteredDueMs()).containsExactly(5L, 7L, 7L, 9L);
  }

  @Test
  void whatWaitsForRedisIsMeteredInItsOrderWhenRedisIsBackBeforeAllElse() {
    redis.there = false;
    add("ann", "waits", 4);
    add("bob", "waits", 2);
    add("ann", "stored", 3);
    anEventComesAt(5);
    setAside("cat", "both");
    add("ann", "stored", 1);
    add("ann", "waits", 6);
    anEventComesAt(7);
    assertThat(meteredDueMs()).containsExactly(3L, 1L);
    retries.close();
    start(InputLag.none());
    tick(8);
    assertThat(meteredDueMs()).containsExactly(3L, 1L);
    redis.comesBack();
    add("ann", "stored", 9);
    anEventComesAt(10);
    assertThat(meteredDueMs()).containsExactly(3L, 1L, 2L, 4L, -50L, 6L, 9L);
  }
}
