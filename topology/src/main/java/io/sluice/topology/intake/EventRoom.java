package io.sluice.topology.intake;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.OutputTopics;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Exceeded;
import io.sluice.topology.limit.VerdictHeaders;
import io.sluice.topology.revision.CurrentLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/**
 * Room for an event wherever it may go: a record is too large if it could not be written there with
 * the headers that it gets on the way. That is found out before the event is metered, so nothing is
 * charged for what cannot come out.
 */
final class EventRoom {
  /** The headers of a verdict, and of a delayed event, without names and shadows. */
  private static final int HEADER_BYTES = 512;

  /** A {@link VerdictHeaders#SHADOW} header without the limit's name. */
  private static final int SHADOW_BYTES = 192;

  /** What a row keeps beside a key of its limit: a piece of a log is the largest. */
  private static final int ROW_BYTES = 8 * 1024;

  /** Topic, partition and offset of a record. */
  private static final int ORIGIN_BYTES = 300;

  /** Of an event's value in a key, where every character may be escaped. */
  private static final int MOST_PER_BYTE = 2;

  private static final byte[] NOTHING = {};

  private final RecordSizes sizes;
  private final List<Place> places;
  private final List<Limit> limits;
  private final long headerBytes;
  private final long otherBytes;

  /** The kind of record that is written to a topic. */
  private enum Content {
    /** The record with more headers. */
    RECORD,
    /** The record and the keys of all its limits. */
    WAITING,
    /** The key of one of its limits. */
    KEY
  }

  private record Place(OutputTopics topics, Content content) {
    Place(String topic, Content content) {
      this(OutputTopics.one(topic), content);
    }

    /** For an event that came in by this topic. */
    String topic(String input) {
      return topics.ofInput(input);
    }
  }

  private EventRoom(RecordSizes sizes, List<Place> places, List<Limit> limits) {
    this.sizes = sizes;
    this.places = List.copyOf(places);
    this.limits = List.copyOf(limits);
    headerBytes = headerBytes(limits);
    otherBytes = headerBytes + ROW_BYTES + limits.stream().mapToLong(EventRoom::nameBytes).sum();
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

  /** Room for everything. */
  static EventRoom endless() {
    return new EventRoom(RecordSizes.any(), List.of(), List.of());
  }

  /** For what the input brings. */
  static Supplier<EventRoom> ofInput(SluiceConfig config, CurrentLimits limits, RecordSizes sizes) {
    return new CurrentRoom(limits, all -> ofInput(config, all, sizes));
  }

  private static EventRoom ofInput(SluiceConfig config, List<Limit> limits, RecordSizes sizes) {
    List<Place> places = passing(config);
    places.add(new Place(Nodes.hopTopic(config.applicationId()), Content.RECORD));
    if (limits.stream().anyMatch(EventRoom::delays)) places.addAll(waiting(config));
    return new EventRoom(sizes, places, limits);
  }

  /** For what is on the topic of delayed events, whoever put it there. */
  static Supplier<EventRoom> ofDelayed(
      SluiceConfig config, CurrentLimits limits, RecordSizes sizes) {
    List<Place> places = passing(config);
    places.addAll(waiting(config));
    return new CurrentRoom(limits, all -> new EventRoom(sizes, places, all));
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

  private static boolean delays(Limit limit) {
    boolean waits = limit.rule().shapes() || !(limit.exceeded() instanceof Exceeded.Reject);
    return waits && !limit.rule().shadow();
  }

  /** What has no room for the record of an event, in words; nothing if there is room everywhere. */
  Optional<String> lacking(EventRecord event, ConsumerRecord<?, ?> record) {
    byte[] key = (byte[]) record.key();
    long bytes = RecordSizes.bytes(key, event.bytes(), record.headers());
    long most = bytes * (1L + (long) MOST_PER_BYTE * limits.size()) + otherBytes;
    if (most <= sizes.takenByAll()) return Optional.empty();
    return places.stream()
        .filter(place -> !fits(place, event, key, record.headers()))
        .map(place -> sizes.lacking(place.topic(event.event().topic()), bytes))
        .findFirst();
  }

  private boolean fits(Place place, EventRecord event, byte[] key, Headers headers) {
    String topic = place.topic(event.event().topic());
    long[] keys = keyBytes(event.event());
    return switch (place.content()) {
      case RECORD -> sizes.fit(topic, key, event.bytes(), headers, headerBytes);
      case WAITING -> {
        long more = headerBytes + Arrays.stream(keys).sum();
        yield sizes.fit(topic, key, event.bytes(), headers, more);
      }
      case KEY -> {
        long more = ROW_BYTES + Arrays.stream(keys).max().orElse(0);
        yield sizes.fit(topic, NOTHING, NOTHING, new RecordHeaders(), more);
      }
    };
  }

  private long[] keyBytes(Event event) {
    return limits.stream()
        .filter(limit -> limit.match().matches(event))
        .mapToLong(limit -> nameBytes(limit) + Utils.utf8Length(limit.key().of(event)))
        .toArray();
  }
}
