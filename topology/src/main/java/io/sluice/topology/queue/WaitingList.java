package io.sluice.topology.queue;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Limits;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Events that wait in line on one partition, as the partition's store has them.
 *
 * @param count number of the events that were asked for
 * @param more whether more events may wait, because only the first 20,000 events in the store were
 *     read
 * @param standings length and age of the lines of these events, by limit and class
 * @param first the first of these events, in the order of their arrival
 */
public record WaitingList(
    long count, boolean more, Map<Group, Standing> standings, List<Waiting> first) {
  /**
   * Filter for waiting events.
   *
   * @param values of fields that the events have; empty for all events
   * @param event id of the events; empty for all
   * @param limit name of a limit for which the events wait; empty for any
   * @param exact whether each event is decoded to compare its fields. Otherwise events are passed
   *     over by the hashes of their keys, and those are not found that have waited since a limit
   *     had another key
   * @param most largest number of events in the list
   */
  public record Filter(
      Map<Field, String> values, String event, String limit, boolean exact, int most) {
    private boolean needsEvent() {
      return !values.isEmpty() || !event.isEmpty();
    }

    /** Returns whether an event has the id and the values. */
    boolean covers(Event decoded) {
      if (!event.isEmpty() && !event.equals(decoded.eventId())) return false;
      for (Map.Entry<Field, String> each : values.entrySet())
        if (!each.getValue().equals(each.getKey().of(decoded))) return false;
      return true;
    }

    /** Returns the bucket of all wanted events under a limit; empty if they have several. */
    OptionalLong bucket(String name, Limits limits) {
      Optional<LimitKey> key =
          limits.all().stream()
              .filter(each -> each.name().equals(name))
              .map(Limit::key)
              .filter(each -> !each.fields().isEmpty())
              .filter(each -> values.keySet().containsAll(each.fields()))
              .findFirst();
      if (key.isEmpty()) return OptionalLong.empty();
      List<String> own = key.get().fields().stream().map(values::get).toList();
      return OptionalLong.of(Place.bucket(name, key.get().of(key.get().event(own))));
    }
  }

  /**
   * Limit and class of waiting events.
   *
   * @param rank number of the class; 0 is the highest
   */
  public record Group(String limit, int rank) {}

  /**
   * Length of a group, and the arrival of the event that has waited longest, epoch milliseconds.
   */
  public record Standing(long length, long oldestMs) {
    private Standing and(long arrivalMs) {
      return new Standing(length + 1, Math.min(oldestMs, arrivalMs));
    }
  }

  /**
   * Event that waits in line.
   *
   * @param event the event; empty if it cannot be decoded
   * @param arrivedMs instant since which it waits, epoch milliseconds
   * @param position in its line; 1 is the first
   * @param before by limit, the number of events in other lines that wait for the same bucket and
   *     are before it: those of a higher class, and those of its class that arrived earlier
   * @param announcedMs instant of its release as estimated at its arrival, epoch milliseconds
   */
  public record Waiting(
      Optional<Event> event,
      int rank,
      long arrivedMs,
      int position,
      Map<String, Integer> before,
      OptionalLong announcedMs) {}

  /**
   * Reads the waiting events of a partition. Any thread may call it.
   *
   * @param store store of the waiting events
   * @param limits all limits that exist at any time
   */
  public static WaitingList of(
      ReadOnlyKeyValueStore<Bytes, byte[]> store,
      Filter filter,
      Limits limits,
      EventDecoder decoder) {
    Search search = new Search(filter, limits, decoder);
    return search.found(WaitingRows.read(store, search::see));
  }

  /** Search for events, in the order of their arrival. */
  private static final class Search {
    private final Filter filter;
    private final Limits limits;
    private final EventDecoder decoder;
    private final Map<String, OptionalLong> buckets = new HashMap<>();
    private final Map<Long, Integer> lines = new HashMap<>();
    private final Map<BucketClass, Integer> seen = new HashMap<>();
    private final Map<Group, Standing> standings = new LinkedHashMap<>();
    private final List<Found> first = new ArrayList<>();
    private long count;

    /** Bucket, and class of the events that wait for it. */
    private record BucketClass(long bucket, int rank) {}

    /**
     * Event that was found.
     *
     * @param earlier by limit, the number of earlier events of its class in other lines
     */
    private record Found(WaitingEvent row, Waiting waiting, Map<String, Integer> earlier) {}

    Search(Filter filter, Limits limits, EventDecoder decoder) {
      this.filter = filter;
      this.limits = limits;
      this.decoder = decoder;
    }

    void see(WaitingEvent row, byte[] bytes) {
      Place place = row.place();
      int position = lines.merge(place.line(), 1, Integer::sum);
      if (mayBeWanted(place)) look(row, bytes, position);
      for (int i = 0; i < place.limits().size(); i++)
        seen.merge(new BucketClass(place.buckets().get(i), place.rank()), 1, Integer::sum);
    }

    private boolean mayBeWanted(Place place) {
      if (!filter.limit().isEmpty() && !place.limits().contains(filter.limit())) return false;
      for (int i = 0; i < place.limits().size() && !filter.exact(); i++) {
        OptionalLong bucket =
            buckets.computeIfAbsent(place.limits().get(i), each -> filter.bucket(each, limits));
        if (bucket.isPresent() && bucket.getAsLong() != place.buckets().get(i)) return false;
      }
      return true;
    }

    private void look(WaitingEvent row, byte[] bytes, int position) {
      boolean isListed = first.size() < filter.most();
      Optional<Record<byte[], EventRecord>> record =
          filter.needsEvent() || isListed
              ? Optional.of(QueuedEvent.record(bytes).record())
              : Optional.empty();
      Optional<Event> event = record.flatMap(this::decoded);
      if (filter.needsEvent() && !event.map(filter::covers).orElse(false)) return;
      count++;
      for (String limit : row.place().limits()) {
        standings.merge(
            new Group(limit, row.place().rank()),
            new Standing(1, row.arrivalMs()),
            (before, one) -> before.and(one.oldestMs()));
      }
      if (isListed) list(row, record.orElseThrow(), event, position);
    }

    private Optional<Event> decoded(Record<byte[], EventRecord> record) {
      Origin origin = DelayHeaders.origin(record.headers());
      byte[] value = record.value().bytes();
      try {
        return Optional.of(
            decoder.decode(
                new RawRecord(record.key(), value, record.headers(), origin, record.timestamp())));
      } catch (UnreadableEventException | SchemasUnavailableException e) {
        return Optional.empty();
      }
    }

    private void list(
        WaitingEvent row, Record<byte[], EventRecord> record, Optional<Event> event, int position) {
      Place place = row.place();
      Map<String, Integer> earlier = new LinkedHashMap<>();
      for (int i = 0; i < place.limits().size(); i++) {
        BucketClass same = new BucketClass(place.buckets().get(i), place.rank());
        earlier.put(place.limits().get(i), seen.getOrDefault(same, 0) - position + 1);
      }
      OptionalLong announcedMs = DelayHeaders.releaseAtMs(record.headers());
      Waiting waiting =
          new Waiting(event, place.rank(), row.arrivalMs(), position, Map.of(), announcedMs);
      first.add(new Found(row, waiting, earlier));
    }

    WaitingList found(boolean more) {
      return new WaitingList(
          count, more, standings, first.stream().map(this::withHigherClasses).toList());
    }

    private Waiting withHigherClasses(Found found) {
      Place place = found.row.place();
      Map<String, Integer> before = new LinkedHashMap<>(found.earlier);
      for (int i = 0; i < place.limits().size(); i++) {
        for (int rank = 0; rank < place.rank(); rank++) {
          int higher = seen.getOrDefault(new BucketClass(place.buckets().get(i), rank), 0);
          before.merge(place.limits().get(i), higher, Integer::sum);
        }
      }
      Waiting waiting = found.waiting;
      return new Waiting(
          waiting.event,
          waiting.rank,
          waiting.arrivedMs,
          waiting.position,
          before,
          waiting.announcedMs);
    }
  }
}
