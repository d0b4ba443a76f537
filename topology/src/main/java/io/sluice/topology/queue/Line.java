package io.sluice.topology.queue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Events with the same buckets, class and tenant, in the order of their arrival. */
final class Line {
  private static final Ticket[] NONE = {};

  private final long id;
  final Kind kind;
  long[] buckets;
  private int own;
  private Ticket head;
  long arrivalMs;
  long notBeforeMs;
  long cost;
  private boolean asksRedis;
  // Ring of all events after the first one.
  private Ticket[] rest = NONE;
  private int restFrom;
  private int restSize;
  final long tenant;
  Gate gate;
  int turnPlace = IndexedHeap.NOWHERE;
  int agePlace = IndexedHeap.NOWHERE;

  /** Whether the line was moved from one open gate to another since it was last asked. */
  boolean wasMoved;

  Line(WaitingEvent first, Ticket ticket, Kind kind) {
    id = first.place().line();
    tenant = first.place().tenant();
    this.kind = kind;
    takeHead(first, ticket);
  }

  /** Makes another event the first one. */
  void takeHead(WaitingEvent first, Ticket ticket) {
    head = ticket;
    List<Long> its = first.place().buckets();
    own = its.size();
    buckets = new long[own];
    for (int i = 0; i < own; i++) buckets[i] = its.get(i);
    arrivalMs = first.arrivalMs();
    notBeforeMs = first.notBeforeMs();
    cost = first.cost();
    asksRedis = first.asksRedis();
  }

  /** Returns the class of the events. */
  int rank() {
    return kind.key.rank();
  }

  /** Returns the instant since which the first event competes for its turn, epoch milliseconds. */
  long sinceMs() {
    return Math.max(arrivalMs, notBeforeMs);
  }

  /** Returns the event after the first one, to be made the first; empty if there is none. */
  Optional<Ticket> next() {
    return restSize == 0 ? Optional.empty() : Optional.of(poll());
  }

  /** Marks the first event as one that has left. */
  void headHasLeft() {
    head.hasLeft = true;
  }

  /**
   * Adds a bucket that a limit has since the first event arrived, or the scope of a pause.
   *
   * @return whether the line did not have it
   */
  boolean note(long bucket) {
    for (long each : buckets) if (each == bucket) return false;
    buckets = Arrays.copyOf(buckets, buckets.length + 1);
    buckets[buckets.length - 1] = bucket;
    return true;
  }

  /** Drops the buckets that were added. */
  void dropNotes() {
    if (buckets.length > own) buckets = Arrays.copyOf(buckets, own);
  }

  /** Returns whether the first event has one of these buckets. */
  boolean hasAny(List<Long> others) {
    for (long each : buckets) if (others.contains(each)) return true;
    return false;
  }

  /** Returns whether the first event cannot be metered without Redis. */
  boolean asksRedis() {
    return asksRedis;
  }

  long id() {
    return id;
  }

  /** Returns the number of the line's first event. */
  long head() {
    return head.number;
  }

  int size() {
    return 1 + restSize;
  }

  /** Returns whether this line's first event competes for longer than that of another line. */
  boolean isOlder(Line other) {
    long since = sinceMs();
    long sinceOfOther = other.sinceMs();
    return since == sinceOfOther ? head() < other.head() : since < sinceOfOther;
  }

  /** Adds an event at the end. */
  void append(Ticket ticket) {
    if (restSize == rest.length) {
      Ticket[] larger = new Ticket[Math.max(2, restSize + (restSize >> 1))];
      for (int i = 0; i < restSize; i++) larger[i] = rest[index(i)];
      rest = larger;
      restFrom = 0;
    }
    restSize++;
    rest[index(restSize - 1)] = ticket;
  }

  private Ticket poll() {
    Ticket first = rest[restFrom];
    rest[restFrom] = null;
    restFrom = restFrom + 1 == rest.length ? 0 : restFrom + 1;
    restSize--;
    return first;
  }

  /** Removes an event after the first one; returns whether it was found. */
  boolean remove(long number) {
    int at = 0;
    while (at < restSize && rest[index(at)].number != number) at++;
    if (at == restSize) return false;
    rest[index(at)].hasLeft = true;
    for (int i = at; i + 1 < restSize; i++) rest[index(i)] = rest[index(i + 1)];
    rest[index(restSize - 1)] = null;
    restSize--;
    return true;
  }

  private int index(int i) {
    int at = restFrom + i;
    return at < rest.length ? at : at - rest.length;
  }

  /** Waiting events of the same limits and class, for metrics. */
  static final class Kind {
    /** Limits with a queue, and class, of the events of a {@link Kind}. */
    record Key(List<String> limits, int rank) {}

    private final Key key;
    final Heap byAge = new Heap(Heap.Purpose.AGE);
    long length;

    Kind(Key key) {
      this.key = key;
    }

    Key key() {
      return key;
    }

    /** Returns the number of waiting events. */
    long length() {
      return length;
    }

    /**
     * Returns the arrival of the event that has waited longest, epoch milliseconds; empty if none
     * waits.
     */
    Optional<Long> oldestMs() {
      return byAge.isEmpty() ? Optional.empty() : Optional.of(byAge.first().arrivalMs);
    }
  }

  /**
   * Number and identity of a waiting event, with the instant at which the event is rejected if it
   * still waits.
   */
  static final class Ticket implements Comparable<Ticket> {
    final long number;
    final long expiresMs;
    private final long event;
    private final int record;
    boolean hasLeft;

    Ticket(WaitingEvent event) {
      number = event.number();
      expiresMs = event.expiresMs();
      this.event = event.identity().event();
      record = event.identity().record();
    }

    /** Returns the hash of the event. */
    long event() {
      return event;
    }

    /** Returns the hash of the event's record. */
    int record() {
      return record;
    }

    @Override
    public int compareTo(Ticket other) {
      return Long.compare(expiresMs, other.expiresMs);
    }
  }

  /** Heap of lines, ordered by the first event of each. */
  static final class Heap extends IndexedHeap<Line> {
    private final Purpose purpose;

    /** Purpose of a heap. A line can be in one heap of each purpose at a time. */
    enum Purpose {
      /** Lines that wait for their turn to be asked; by the time that their first event has. */
      TURN,
      /** Lines of the same limits and class; by the number of their first event. */
      AGE
    }

    Heap(Purpose purpose) {
      this.purpose = purpose;
    }

    @Override
    boolean isBefore(Line one, Line other) {
      return purpose == Purpose.TURN ? one.isOlder(other) : one.head() < other.head();
    }

    @Override
    void setPosition(Line line, int position) {
      if (purpose == Purpose.TURN) line.turnPlace = position;
      else line.agePlace = position;
    }

    @Override
    int position(Line line) {
      return purpose == Purpose.TURN ? line.turnPlace : line.agePlace;
    }
  }
}
