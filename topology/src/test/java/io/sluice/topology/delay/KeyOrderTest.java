package io.sluice.topology.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.metering.Meters;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how long events are delayed because of waiting events of the same key. */
class KeyOrderTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  @TempDir private Path folder;
  private KeyOrder turns;
  private int events;
  private int partition;

  @BeforeEach
  void open() {
    SluiceConfig config =
        ConfigText.config("sluice.limit.reply.quota=1/1s", "sluice.limit.reply.exceeded=delay");
    DelayPath path = DelayPath.of(Meters.services(config), () -> 0, "");
    MockProcessorContext<Object, Object> context =
        new MockProcessorContext<>(new Properties(), DelayQueueTest.TASK, folder.toFile());
    for (StoreBuilder<KeyValueStore<Bytes, byte[]>> each : List.of(path.turns(), path.waiting())) {
      KeyValueStore<Bytes, byte[]> store = each.withLoggingDisabled().build();
      store.init(context.getStateStoreContext(), store);
      context.addStateStore(store);
    }
    turns = path.orderIn(context);
  }

  /**
   * Returns when an event is due that the limits release at that instant; 0 if it leaves at once.
   */
  private long dueMs(String user, long afterMs) {
    Verdict allowed = Verdict.unmatched(false);
    long dueMs = kept(user, afterMs > 0 ? allowed.delayedUntil(NOW_MS + afterMs) : allowed);
    return dueMs > 0 ? dueMs - NOW_MS : 0;
  }

  /** Returns when an event is due after all; 0 if it leaves at once. */
  private long kept(String user, Verdict verdict) {
    EventRecord event = new EventRecord(new byte[0]);
    event.opened(
        TestEvent.event(user, "sms", ""), Origin.of("user-actions", partition, events++), NOW_MS);
    Verdict kept = turns.keepOrder(verdict, event, NOW_MS);
    return kept.kind() == Verdict.Kind.DELAYED ? kept.dueMs() : 0;
  }

  @Test
  void anEventOfABacklogGoesBehindOneWhoseSlotIsLongPast() {
    long hoursAgoMs = NOW_MS - 10_000_000;
    long slotMs = hoursAgoMs + 1_000;
    Verdict allowed = Verdict.unmatched(false);
    assertThat(kept("ann", allowed.delayedUntil(slotMs))).isEqualTo(slotMs);
    assertThat(kept("ann", allowed)).isEqualTo(slotMs);
  }

  @Test
  void anEventThatConformsGoesBehindOneThatWaits() {
    assertThat(dueMs("ann", 0)).isZero();
    assertThat(dueMs("ann", 2_000)).isEqualTo(2_000);
    assertThat(dueMs("ann", 0)).isEqualTo(2_000);
    assertThat(dueMs("bob", 0)).isZero();
  }

  /** Redis gives the slot again that it gave to a task whose clock was earlier. */
  @Test
  void anEventWithAnEarlierSlotGoesBehindOneThatWaits() {
    assertThat(dueMs("ann", 9_000)).isEqualTo(9_000);
    assertThat(dueMs("ann", 2_000)).isEqualTo(9_000);
    turns.left(
        turns.of(TestEvent.event("ann", "sms", ""), Origin.parse("user-actions-0-0")),
        NOW_MS + 9_000);
    assertThat(dueMs("ann", 0)).isEqualTo(9_000);
    turns.left(
        turns.of(TestEvent.event("ann", "sms", ""), Origin.parse("user-actions-0-2")),
        NOW_MS + 9_000);
    assertThat(dueMs("ann", 0)).isZero();
  }

  /**
   * Waiting events of another partition may have been judged by a clock unknown to this partition.
   */
  @Test
  void anEventThatConformsDoesNotGoBehindOneFromAnotherPartition() {
    assertThat(dueMs("ann", 9_000)).isEqualTo(9_000);
    partition = 1;
    assertThat(dueMs("ann", 0)).isZero();
    assertThat(dueMs("ann", 2_000)).isEqualTo(2_000);
    assertThat(dueMs("ann", 0)).isEqualTo(2_000);
  }

  /** Covers a restored store that has missed the tombstone of an event that has left. */
  @Test
  void aTurnWhoseTombstoneIsMissedHoldsUpOneEventAndNoneAfter() {
    assertThat(dueMs("ann", 2_000)).isEqualTo(2_000);
    assertThat(dueMs("ann", 0)).isEqualTo(2_000);
    turns.left(
        turns.of(TestEvent.event("ann", "sms", ""), Origin.parse("user-actions-0-1")),
        NOW_MS + 2_000);
    assertThat(dueMs("ann", 0)).isZero();
  }
}
