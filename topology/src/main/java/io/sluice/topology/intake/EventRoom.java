package io.sluice.topology.intake;

import io.sluice.limiter.Algorithm;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.redis.PendingVerdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/**
 * Size check of events: an event is too large if it could not be written, with the headers that it
 * gets on its way, to each topic to which it may go. The check is made before metering, so that
 * nothing is charged for an event that cannot be written.
 */
final class EventRoom {
  /**
   * Largest size in bytes of the headers for a verdict and for a delayed event, without the names
   * of limits and the results of limits in shadow mode.
   */
  private static final int HEADER_BYTES = 512;

  /** Largest size in bytes of a {@link VerdictHeaders#SHADOW} header without the limit's name. */
  private static final int SHADOW_BYTES = 192;

  /**
   * Largest size in bytes of a limit's row in the state store, without the row's key: a part of a
   * log is the largest.
   */
  private static final int ROW_BYTES = 8 * 1024;

  /**
   * Largest size in bytes of the row of a limit that keeps up to 1,000 distinct values in a row.
   */
  private static final int DISTINCT_ROW_BYTES = 40 * 1024;

  /** Largest size in bytes of a record's topic, partition and offset as text. */
  private static final int ORIGIN_BYTES = 300;

  /**
   * Largest number of bytes in a limit's key for one byte of an event's value, since every
   * character may be escaped in the key.
   */
  private static final int MOST_PER_BYTE = 2;

  private static final byte[] NOTHING = {};

  private final RecordSizes sizes;
  private final Map<Verdict.Kind, OutputTopics> leaving;
  private final List<Place> places;
  private final List<Limit> limits;
  private final int rowBytes;
  private final long headerBytes;
  private final long otherBytes;

  /** Content of the records that an event causes on a topic, which determines their size. */
  private enum Content {
    /** Record of the event with additional headers. */
    RECORD,
    /** Record of the event and the keys of all its limits. */
    WAITING,
    /** Key and row of one of the event's limits. */
    KEY
  }

  private record Place(OutputTopics topics, Content content) {
    Place(String topic, Content content) {
      this(OutputTopics.one(topic), content);
    }

    /** Returns the topic to which an event from an input topic is written. */
    String topic(String input) {
      return topics.ofInput(input);
    }
  }

  private EventRoom(
      RecordSizes sizes,
      Map<Verdict.Kind, OutputTopics> leaving,
      List<Place> places,
      List<Limit> limits) {
    this.sizes = sizes;
    this.leaving = leaving;
    this.places = List.copyOf(places);
    this.limits = List.copyOf(limits);
    headerBytes = headerBytes(limits);
    rowBytes = limits.stream().anyMatch(EventRoom::keepsValues) ? DISTINCT_ROW_BYTES : ROW_BYTES;
    otherBytes =
        headerBytes
            + ORIGIN_BYTES
            + rowBytes
            + limits.stream().mapToLong(EventRoom::nameBytes).sum();
  }

  private static long headerBytes(List<Limit> limits) {
    int longest = limits.stream().mapToInt(limit -> limit.name().length()).max().orElse(0);
    long shadows =
        limits.stream()
            .filter(limit -> limit.rule().shadow())
            .mapToLong(limit -> (long) SHADOW_BYTES + limit.name().length())
            .sum();
    return HEADER_BYTES + ORIGIN_BYTES + longest + shadows;
  }

  private static long nameBytes(Limit limit) {
    return (long) limit.name().length() + ORIGIN_BYTES;
  }

  /** Returns a size check that accepts events of any size. */
  static EventRoom endless() {
    return new EventRoom(RecordSizes.any(), Map.of(), List.of(), List.of());
  }

  /** Returns the current size check for events from an input topic. */
  static Supplier<EventRoom> ofInput(SluiceConfig config, CurrentLimits limits, RecordSizes sizes) {
    Place hop = new Place(Nodes.hopTopic(config.applicationId()), Content.RECORD);
    return new CurrentRoom(limits, all -> of(config, List.of(hop), all, sizes));
  }

  /**
   * Returns the current size check for events that come to their home partition through the
   * repartition topic. They are checked again, since a topic may accept less by then.
   */
  static Supplier<EventRoom> ofHome(SluiceConfig config, CurrentLimits limits, RecordSizes sizes) {
    return new CurrentRoom(limits, all -> of(config, List.of(), all, sizes));
  }

  private static EventRoom of(
      SluiceConfig config, List<Place> before, List<Limit> limits, RecordSizes sizes) {
    List<Place> places = passing(config);
    places.addAll(before);
    if (limits.stream().anyMatch(EventRoom::delays) || maySetAside(limits)) {
      places.addAll(waiting(config));
    }
    return new EventRoom(sizes, Map.of(), places, limits);
  }

  /** Returns the current size check for records on the topic of delayed events, of any producer. */
  static Supplier<EventRoom> ofDelayed(
      SluiceConfig config, CurrentLimits limits, RecordSizes sizes) {
    List<Place> places = passing(config);
    places.addAll(waiting(config));
    Map<Verdict.Kind, OutputTopics> leaving =
        Map.of(
            Verdict.Kind.ALLOWED, config.topics().allowed(),
            Verdict.Kind.REJECTED, config.topics().rejected());
    return new CurrentRoom(limits, all -> new EventRoom(sizes, leaving, places, all));
  }

  private static List<Place> passing(SluiceConfig config) {
    List<Place> places = new ArrayList<>();
    places.add(new Place(config.topics().allowed(), Content.RECORD));
    places.add(new Place(config.topics().rejected(), Content.RECORD));
    places.add(new Place(Nodes.changelog(config.applicationId(), Nodes.LIMITS), Content.KEY));
    return places;
  }

  private static List<Place> waiting(SluiceConfig config) {
    return List.of(
        new Place(config.topics().delayed(), Content.RECORD),
        new Place(Nodes.changelog(config.applicationId(), Nodes.TURNS), Content.KEY),
        new Place(Nodes.changelog(config.applicationId(), Nodes.WAITING), Content.WAITING));
  }

  private static boolean keepsValues(Limit limit) {
    return limit.rule().algorithm() == Algorithm.DISTINCT_LOG;
  }

  /** Returns whether an event with limits in Redis and in the state store may wait for Redis. */
  private static boolean maySetAside(List<Limit> limits) {
    return limits.stream().anyMatch(limit -> limit.backend() == Backend.STATE_STORE)
        && limits.stream()
            .anyMatch(limit -> limit.backend() == Backend.REDIS && PendingVerdict.mustWait(limit));
  }

  private static boolean delays(Limit limit) {
    boolean waits = limit.rule().shapes() || !(limit.exceeded() instanceof Exceeded.Reject);
    return waits && !limit.rule().shadow();
  }

  /**
   * Returns why a record that an event may cause would be too large for its topic; empty if no
   * record would be too large.
   */
  Optional<String> lacking(EventRecord event, byte[] key, Headers headers) {
    long bytes = RecordSizes.bytes(key, event.bytes(), headers);
    long most = bytes * (1L + (long) MOST_PER_BYTE * limits.size()) + otherBytes;
    if (most <= sizes.takenByAll()) return Optional.empty();
    return places.stream()
        .flatMap(place -> lacking(place, event, key, headers).stream())
        .findFirst();
  }

  /**
   * Returns why the record of an event that has waited is too large for the topic of its verdict;
   * empty if the record is not too large.
   */
  Optional<String> lackingToLeave(
      Verdict.Kind verdict, EventRecord event, byte[] key, Headers headers) {
    if (RecordSizes.bytes(key, event.bytes(), headers) <= sizes.takenByAll()) {
      return Optional.empty();
    }
    return sizes.lacking(leaving.get(verdict).of(event.origin()), key, event.bytes(), headers, 0);
  }

  private Optional<String> lacking(Place place, EventRecord event, byte[] key, Headers headers) {
    String topic = place.topic(event.event().topic());
    long[] keys = keyBytes(event.event());
    return switch (place.content()) {
      case RECORD -> sizes.lacking(topic, key, event.bytes(), headers, headerBytes);
      case WAITING -> {
        // The row of a waiting event also contains the event's origin.
        long more = headerBytes + ORIGIN_BYTES + Arrays.stream(keys).sum();
        yield sizes.lacking(topic, key, event.bytes(), headers, more);
      }
      case KEY -> {
        long more = rowBytes + Arrays.stream(keys).max().orElse(0);
        yield sizes.lacking(topic, NOTHING, NOTHING, new RecordHeaders(), more);
      }
    };
  }

  private long[] keyBytes(Event event) {
    return limits.stream()
        .filter(limit -> limit.match().matches(event))
        .mapToLong(limit -> nameBytes(limit) + Utils.utf8Length(limit.key().of(event)))
        .toArray();
  }

  /**
   * Cache of the size check of events, which depends on the known limits. Creates a new size check
   * when the known limits have changed.
   */
  static final class CurrentRoom implements Supplier<EventRoom> {
    private final CurrentLimits limits;
    private final Function<List<Limit>, EventRoom> maker;
    private volatile Made made;

    private record Made(Limits limits, EventRoom room) {}

    CurrentRoom(CurrentLimits limits, Function<List<Limit>, EventRoom> maker) {
      this.limits = limits;
      this.maker = maker;
      made = make(limits.known().ever());
    }

    private Made make(Limits ever) {
      return new Made(ever, maker.apply(ever.all()));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // unchanged limits are the same object
    public EventRoom get() {
      Limits ever = limits.known().ever();
      Made last = made;
      if (last.limits != ever) {
        last = make(ever);
        made = last;
      }
      return last.room;
    }
  }
}
