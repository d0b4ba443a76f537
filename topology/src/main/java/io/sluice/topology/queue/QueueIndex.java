package io.sluice.topology.queue;

import io.sluice.limiter.Identity;
import io.sluice.topology.queue.Gate.Opening;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.Line.Kind;
import io.sluice.topology.queue.Line.Ticket;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.function.LongFunction;

/**
 * Index of the events of one task that wait in line: lines, the gates at which their first events
 * wait, and the end of each event's patience. In memory only; built from the stored rows when a
 * task starts. Not thread-safe.
 *
 * <p>A line holds the events with the same buckets and class, first in, first out. A bucket that
 * refused the first event of a line (its head) has a gate, which is closed until the bucket may
 * conform. A head waits, without being asked, at the gate of its buckets that opens last. So an
 * event that waits costs nothing, however often others are released: a release takes O(log n).
 */
final class QueueIndex {
  /*
   * Invariants:
   * - A line is in exactly one heap, or taken by the caller between take() and the answer. The heap
   *   is that of the waiters of line.gate or, if line.gate is null or line.gate.asking is the line,
   *   `ready`.
   * - An open gate with waiters has its first line in `ready` (`asking`), so that the first line in
   *   `ready` is the first of all lines that may be asked. The rest stays at the gate: after the
   *   gate has refused a line, the others need not be touched.
   * - A gate of a bucket that is open and has no lines is dropped.
   */
  /** Most heads with which the buckets of a new event are compared. */
  private static final int MOST_COMPARED = 200;

  /**
   * Most gates that {@link #open} opens, or lines that {@link #take} moves to gates, in one call,
   * so that a call takes about a millisecond.
   */
  private static final int MOST_MOVED = 1_000;

  /** How many entries of no use the heaps of instants may have, beside as many as useful ones. */
  private static final int MOST_PASSED = 1_000;

  private final LongFunction<Optional<WaitingEvent>> rows;
  private final LineTable lines = new LineTable();
  private final Map<Long, Gate> gates = new HashMap<>();
  private final Map<Kind.Key, Kind> kinds = new HashMap<>();
  private final LineHeap ready = new LineHeap(LineHeap.Order.TURN);
  private final PriorityQueue<Opening> openings = new PriorityQueue<>();
  private final PriorityQueue<Ticket> expiries = new PriorityQueue<>();
  private final Map<Long, Integer> identities = new HashMap<>();
  private final Gate resting = new Gate(0, false);
  private Iterator<Gate> reopening = Collections.emptyIterator();
  private boolean reopensAgain;
  private long size;

  /**
   * @param rows reads a waiting event by its number; empty if it waits no longer
   */
  QueueIndex(LongFunction<Optional<WaitingEvent>> rows) {
    this.rows = rows;
  }

  /** Returns the number of waiting events. */
  long size() {
    return size;
  }

  /** Returns the waiting events by their limits and class. */
  Iterable<Kind> kinds() {
    return kinds.values();
  }

  /** Returns the smallest number of a waiting event; empty if none waits. */
  OptionalLong firstNumber() {
    return kinds.values().stream().mapToLong(kind -> kind.byAge.first().head()).min();
  }

  /** Returns the number of events in a line; 0 if there is no such line. */
  int length(long line) {
    Line found = lines.get(line);
    return found == null ? 0 : found.size();
  }

  /** Returns the bucket at whose closed gate the head of a line waits; empty if at none. */
  OptionalLong waitsAt(long line) {
    Line found = lines.get(line);
    boolean atGate = found != null && found.gate != null && found.gate.isClosed();
    return atGate && found.gate.ofBucket
        ? OptionalLong.of(found.gate.bucket)
        : OptionalLong.empty();
  }

  /** Returns whether an event with this identity waits, of this or another record. */
  boolean knows(Identity identity) {
    return identities.containsKey(identity.event());
  }

  /** Returns whether the event of this record waits. */
  boolean knowsRecord(Identity identity) {
    Integer record = identities.get(identity.event());
    return record != null && record == identity.record();
  }

  /**
   * Returns whether a new event must wait without being asked: its line is not empty, or an event
   * of the same or a higher class waits at the gate of one of its buckets, or rests or may be asked
   * and has one of its buckets.
   */
  boolean mustWait(Place place) {
    if (size == 0) return false;
    if (lines.get(place.line()) != null) return true;
    if (isBehindReady(place)) return true;
    for (long bucket : place.buckets()) {
      Gate gate = gates.get(bucket);
      if (gate != null && gate.hasBefore(place.rank())) return true;
    }
    return false;
  }

  /**
   * Returns whether a head that may be asked, or that rests, is before a new event at one of its
   * buckets. If there are very many of them, assumes that one of them is.
   */
  private boolean isBehindReady(Place place) {
    return isBehind(ready, place) || isBehind(resting.waiters, place);
  }

  private static boolean isBehind(LineHeap heads, Place place) {
    if (heads.isEmpty() || heads.first().rank() > place.rank()) return false;
    if (heads.size() > MOST_COMPARED) return true;
    for (int i = 0; i < heads.size(); i++) {
      Line line = heads.get(i);
      if (line.rank() <= place.rank() && line.hasAny(place.buckets())) return true;
    }
    return false;
  }

  /** Adds an event that waits without having been asked, or that was stored before. */
  void add(WaitingEvent event, long nowMicros) {
    Line line = append(event);
    if (line.size() > 1) return;
    place(line, nowMicros);
  }

  /** Adds a new event that was asked and refused. */
  void add(WaitingEvent event, List<Refusal> refusals, long nowMicros) {
    Line line = append(event);
    refused(line, refusals, nowMicros);
  }

  private Line append(WaitingEvent event) {
    size++;
    identities.put(event.identity().event(), event.identity().record());
    Ticket ticket = new Ticket(event);
    expiries.add(ticket);
    Place place = event.place();
    Line line = lines.get(place.line());
    if (line == null) {
      Kind.Key key = new Kind.Key(place.limits(), place.rank());
      Kind kind = kinds.computeIfAbsent(key, Kind::new);
      line = new Line(event, ticket, kind);
      lines.add(line);
      kind.byAge.add(line);
    } else {
      line.append(ticket);
    }
    line.kind.length++;
    return line;
  }

  /**
   * Puts a line to the closed gate of its buckets that opens last or, if none keeps its head from
   * being asked, among the lines that may be asked.
   */
  private void place(Line line, long nowMicros) {
    Gate last = blocking(line, nowMicros);
    if (last == null) {
      line.gate = null;
      ready.add(line);
    } else {
      line.gate = last;
      last.waiters.add(line);
    }
  }

  private Gate blocking(Line line, long nowMicros) {
    long notBeforeMicros = line.notBeforeMs * 1_000;
    if (notBeforeMicros > nowMicros) return closed(new Gate(0, false), notBeforeMicros, line);
    Gate last = null;
    for (long bucket : line.buckets) {
      Gate gate = gates.get(bucket);
      if (gate == null || !gate.blocks(line)) continue;
      if (last == null || gate.opensMicros > last.opensMicros) last = gate;
    }
    return last;
  }

  private Gate closed(Gate gate, long opensMicros, Line by) {
    openings.add(gate.close(opensMicros, by));
    if (openings.size() > MOST_PASSED + 2 * (gates.size() + lines.size()))
      openings.removeIf(each -> !each.isCurrent());
    return gate;
  }

  /** Opens the gates whose time has come. To be called before {@link #take}. */
  void open(long nowMicros) {
    while (!openings.isEmpty() && openings.peek().atMicros <= nowMicros) {
      Opening next = openings.poll();
      if (next.isCurrent()) open(next.gate);
    }
    if (reopensAgain && !reopening.hasNext()) reopen();
    for (int opened = 0; opened < MOST_MOVED && reopening.hasNext(); opened++) {
      Gate gate = reopening.next();
      if (gate.isClosed()) open(gate);
    }
  }

  /**
   * Has all gates opened by the next calls of {@link #open}, so that heads are asked again, because
   * the limits have changed or Redis is back.
   */
  void openAll() {
    // If all gates are being opened already, the last ones must have their turn before the first.
    if (reopening.hasNext()) reopensAgain = true;
    else reopen();
  }

  private void reopen() {
    reopensAgain = false;
    List<Gate> closed = new ArrayList<>(gates.values());
    closed.add(resting);
    reopening = closed.iterator();
  }

  /** Returns the number of instants at which gates open, including those that have no meaning. */
  int openings() {
    return openings.size();
  }

  /** Returns whether there may be lines whose heads are to be asked. */
  boolean hasReady() {
    return !ready.isEmpty();
  }

  private void open(Gate gate) {
    gate.open();
    next(gate);
  }

  /** Makes the first waiter of an open gate the next to be asked; drops a gate of no use. */
  private void next(Gate gate) {
    if (!gate.isClosed() && gate.asking == null && !gate.waiters.isEmpty()) {
      gate.asking = gate.waiters.poll();
      ready.add(gate.asking);
    }
    if (gate.ofBucket && gate.isIdle()) gates.remove(gate.bucket);
  }

  /**
   * Takes the next lines whose heads are to be asked, in order. The caller must then call {@link
   * #left}, {@link #refused}, {@link #unasked} or {@link #rest} with each of them, in this order.
   * The result may be empty although {@link #hasReady}, if many lines were moved to gates.
   */
  List<Line> take(int most, long nowMicros) {
    List<Line> taken = new ArrayList<>();
    for (int moved = 0; moved < MOST_MOVED && taken.size() < most && hasReady(); moved++) {
      Line line = ready.poll();
      Gate from = line.gate;
      if (from != null) from.asking = null;
      line.gate = null;
      Gate blocking = blocking(line, nowMicros);
      if (blocking == null) {
        taken.add(line);
      } else {
        line.gate = blocking;
        blocking.waiters.add(line);
      }
      if (from != null) next(from);
    }
    return taken;
  }

  /** Removes the head of a taken line, because the event has left. */
  void left(Line line, WaitingEvent event, long nowMicros) {
    gone(line, event);
    if (advance(line)) place(line, nowMicros);
  }

  /**
   * Closes gates of the buckets that refused the head of a taken line: the gate at which the head
   * waits, and those at which no line waits. At other gates the first waiter decides when the gate
   * opens, because it may need fewer permits.
   */
  void refused(Line line, List<Refusal> refusals, long nowMicros) {
    Gate elsewhere = blocking(line, nowMicros);
    Refusal last = Collections.max(refusals, Comparator.comparingLong(Refusal::opensMicros));
    for (Refusal each : refusals) {
      Gate gate = gates.computeIfAbsent(each.bucket(), bucket -> new Gate(bucket, true));
      line.note(each.bucket());
      boolean isLater = elsewhere == null || elsewhere.opensMicros <= each.opensMicros();
      boolean waitsHere = each.bucket() == last.bucket() && (isLater || elsewhere == gate);
      boolean closes = waitsHere ? !gate.isClosedBefore(line) : gate.hasNoLines();
      if (closes) closed(gate, Math.max(nowMicros + 1, each.opensMicros()), line);
    }
    place(line, nowMicros);
  }

  /**
   * Puts a taken line back, because its head was not asked.
   *
   * @param untilMicros instant from which the head may be asked, epoch microseconds
   */
  void unasked(Line line, long untilMicros, long nowMicros) {
    if (untilMicros <= nowMicros) {
      place(line, nowMicros);
      return;
    }
    line.gate = closed(new Gate(0, false), untilMicros, line);
    line.gate.waiters.add(line);
  }

  /**
   * Has a taken line rest, because Redis did not answer. Lines rest together, until the latest
   * instant that any of them was given, or until {@link #openAll}.
   */
  void rest(Line line, long untilMicros) {
    line.gate = resting;
    resting.waiters.add(line);
    if (!resting.isClosed() || resting.opensMicros < untilMicros)
      closed(resting, untilMicros, line);
  }

  /** Removes an event from any position of its line, because it has left without being asked. */
  void remove(WaitingEvent event, long nowMicros) {
    Line line = lines.get(event.place().line());
    if (line == null) return;
    if (line.head() != event.number()) {
      if (line.remove(event.number())) forget(line, event);
      return;
    }
    Gate gate = line.gate;
    detach(line);
    gone(line, event);
    if (advance(line)) place(line, nowMicros);
    // The others at the gate may need fewer permits than the event that closed it.
    if (gate != null && gate.isClosed()) open(gate);
    else if (gate != null) next(gate);
  }

  private void detach(Line line) {
    Gate gate = line.gate;
    if (gate == null || gate.asking == line) ready.remove(line);
    else gate.waiters.remove(line);
    if (gate != null && gate.asking == line) gate.asking = null;
    line.gate = null;
  }

  private void gone(Line line, WaitingEvent event) {
    line.headHasLeft();
    line.kind.byAge.remove(line);
    forget(line, event);
  }

  private void forget(Line line, WaitingEvent event) {
    size--;
    line.kind.length--;
    identities.remove(event.identity().event(), event.identity().record());
    if (line.kind.length == 0) kinds.remove(line.kind.key());
    if (expiries.size() > MOST_PASSED + 2 * size) expiries.removeIf(each -> each.hasLeft);
  }

  /**
   * Makes the next event of a line its head.
   *
   * @return whether there is one; otherwise the line is dropped
   */
  private boolean advance(Line line) {
    Optional<Ticket> next = line.next();
    if (next.isEmpty()) {
      lines.remove(line.id());
      return false;
    }
    long number = next.get().number;
    WaitingEvent event =
        rows.apply(number)
            .orElseThrow(() -> new IllegalStateException("no row of a waiting event: " + number));
    line.takeHead(event, next.get());
    line.kind.byAge.add(line);
    return true;
  }

  /**
   * Returns an event whose time to wait has ended, and forgets that end; empty if there is none.
   */
  Optional<WaitingEvent> pollExpired(long nowMs) {
    while (!expiries.isEmpty() && expiries.peek().expiresMs <= nowMs) {
      Ticket next = expiries.poll();
      if (!next.hasLeft) return rows.apply(next.number);
    }
    return Optional.empty();
  }

  /**
   * Returns the next instant at which an event may leave, epoch milliseconds; {@link
   * Long#MAX_VALUE} if no event waits.
   */
  long nextMs(long nowMs) {
    if (size == 0) return Long.MAX_VALUE;
    if (hasReady() || reopening.hasNext() || reopensAgain) return nowMs;
    long opens = openings.isEmpty() ? Long.MAX_VALUE : (openings.peek().atMicros + 999) / 1_000;
    return Math.min(opens, expiries.isEmpty() ? Long.MAX_VALUE : expiries.peek().expiresMs);
  }

  /**
   * Estimates how long a new event of a line will wait, in microseconds: until its line's gate
   * opens, and then for the events before it.
   *
   * @param intervalMicros time that one event takes
   */
  long estimateMicros(Place place, long intervalMicros, long nowMicros) {
    Line line = lines.get(place.line());
    Gate last = line == null ? null : line.gate;
    for (long bucket : place.buckets()) {
      Gate gate = gates.get(bucket);
      if (line == null && gate != null && (last == null || gate.opensMicros > last.opensMicros))
        last = gate;
    }
    long opens = last == null || !last.isClosed() ? 0 : last.opensMicros - nowMicros;
    long before = line == null ? (last == null ? 0 : last.waiters.size()) : line.size();
    return Math.max(0, opens) + before * intervalMicros;
  }

  /** Returns which of the place's buckets the estimate is about: the one whose gate opens last. */
  int deciding(Place place) {
    int last = 0;
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < place.buckets().size(); i++) {
      Gate gate = gates.get(place.buckets().get(i));
      if (gate == null || gate.opensMicros <= latest) continue;
      last = i;
      latest = gate.opensMicros;
    }
    return last;
  }
}
