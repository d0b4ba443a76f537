package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.rules.limit.Limit;
import io.sluice.testing.SettingLines;
import io.sluice.topology.TestEvent;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.queue.WaitingEvent.Place;
import io.sluice.topology.store.HeapStores;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of what is read of a key's waiting events in the store. */
class KeyLineTest {
  private static final long ARRIVED_MS = 1_700_000_000_000L;
  private static final byte[] UNREADABLE_RECORD = {99};

  @TempDir private Path folder;

  private final List<Limit> limits =
      SluiceConfig.of(
              SettingLines.kafka(
                  "sluice.limits=phone,vendor",
                  "sluice.limit.phone.quota=1/60s",
                  "sluice.limit.phone.exceeded=queue",
                  "sluice.limit.vendor.key=action,userId",
                  "sluice.limit.vendor.quota=20/1s",
                  "sluice.limit.vendor.exceeded=queue"))
          .limits()
          .all();

  private KeyValueStore<Bytes, byte[]> store;
  private long number;

  @BeforeEach
  void open() {
    MockProcessorContext<Object, Object> context =
        new MockProcessorContext<>(new Properties(), new TaskId(0, 0), folder.toFile());
    store = HeapStores.sorted("waiting").get();
    store.init(context.getStateStoreContext(), store);
  }

  private Bucket phone(String user) {
    return Limit.buckets(limits, TestEvent.event(user, "sms", "")).get(0);
  }

  /** Stores an event of a user that waits for its phone's limit and for the vendor's. */
  private void add(String user) {
    List<Long> buckets = List.of(Place.bucket(phone(user)), 7L);
    Place place = new Place(user.hashCode(), 0, 0, List.of("phone", "vendor"), buckets);
    long arrivalMs = ARRIVED_MS + number;
    WaitingEvent event =
        new WaitingEvent(
            number, arrivalMs, 0, 1, Long.MAX_VALUE, new Identity(number, 0, false), false, place);
    store.put(Lane.QUEUED.key(number++, 0), QueuedEvent.row(event, UNREADABLE_RECORD));
  }

  @Test
  void eventsOfTheKeyAreCountedAndThoseBeforeItsFirst() {
    for (String user : List.of("ann", "ann", "bob", "eve", "ann", "bob")) add(user);
    assertThat(KeyLine.of(store, phone("bob")))
        .isEqualTo(new KeyLine(2, ARRIVED_MS + 2, Map.of("phone", 0, "vendor", 2), false));
    assertThat(KeyLine.of(store, phone("ann")))
        .isEqualTo(new KeyLine(3, ARRIVED_MS, Map.of("phone", 0, "vendor", 0), false));
  }

  /** A store that was away for long has the rows of events that have left. */
  @Test
  void eventsThatHaveLeftAreNotCounted() {
    for (String user : List.of("bob", "ann", "bob", "bob")) add(user);
    LeftEvents left = new LeftEvents(store);
    left.add(1);
    left.add(2);
    left.write(0);

    assertThat(KeyLine.of(store, phone("bob")).count()).isEqualTo(2);
    assertThat(KeyLine.of(store, phone("ann")).count()).isZero();
  }

  @Test
  void aKeyWithoutEventsHasNone() {
    add("ann");
    assertThat(KeyLine.of(store, phone("bob"))).isEqualTo(new KeyLine(0, 0, Map.of(), false));
  }

  /** A query must not read a long store for long, on the thread of a request. */
  @Test
  void onlyABoundedNumberOfEventsIsRead() {
    for (int i = 0; i < 20_000; i++) add("ann");
    assertThat(KeyLine.of(store, phone("ann")).more()).isFalse();
    add("ann");
    add("bob");
    assertThat(KeyLine.of(store, phone("ann")).count()).isEqualTo(20_000);
    assertThat(KeyLine.of(store, phone("bob"))).isEqualTo(new KeyLine(0, 0, Map.of(), true));
  }
}
