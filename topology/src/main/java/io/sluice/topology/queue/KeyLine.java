package io.sluice.topology.queue;

import io.sluice.limiter.Bucket;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Events of one key of a limit that wait in line, as the store of a partition has them.
 *
 * @param count number of these events
 * @param oldestMs arrival of the first of them, epoch milliseconds; 0 if none waits
 * @param before for each limit of the first event, the number of events in other lines that arrived
 *     before it and wait for the same bucket
 * @param more whether more events may wait, because only the first 20,000 events in the store were
 *     read
 */
public record KeyLine(int count, long oldestMs, Map<String, Integer> before, boolean more) {
  /**
   * Reads the waiting events of a key among the first 20,000 events in line of a partition, without
   * decoding their records. Any thread may call it.
   *
   * @param store store of the waiting events
   * @param bucket bucket of the key under the limit
   */
  public static KeyLine of(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bucket bucket) {
    Search search = new Search(Place.bucket(bucket));
    return search.found(WaitingRows.read(store, (event, row) -> search.see(event)));
  }

  /** Search for the events of a bucket, in the order of their arrival. */
  private static final class Search {
    private final long bucket;
    private final Map<Long, Integer> earlier = new HashMap<>();
    private Map<String, Integer> before = Map.of();
    private int count;
    private long oldestMs;

    private Search(long bucket) {
      this.bucket = bucket;
    }

    private void see(WaitingEvent event) {
      Place place = event.place();
      if (place.buckets().contains(bucket)) {
        if (count++ == 0) first(event);
      } else if (count == 0) {
        for (long each : place.buckets()) earlier.merge(each, 1, Integer::sum);
      }
    }

    private void first(WaitingEvent event) {
      oldestMs = event.arrivalMs();
      before = new HashMap<>();
      for (int i = 0; i < event.place().limits().size(); i++) {
        int others = earlier.getOrDefault(event.place().buckets().get(i), 0);
        before.put(event.place().limits().get(i), others);
      }
    }

    private KeyLine found(boolean more) {
      return new KeyLine(count, oldestMs, Map.copyOf(before), more);
    }
  }
}
