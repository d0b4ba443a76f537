package io.sluice.topology.queue;

import io.sluice.limiter.Identity;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.Gates.Candidate;
import io.sluice.topology.queue.Line.Kind;
import io.sluice.topology.queue.Line.Ticket;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.HashMap;
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
 * <p>A line holds the events with the same buckets, class and tenant, first in, first out. A bucket
 * that refused the first event of a line (its head) has a gate, which is closed until the bucket
 * may conform. A head waits, without being asked, at the gate of its buckets that opens last. So an
 * event that waits costs nothing, however often others are released: a release takes O(log n).
 */
final class QueueIndex {
  /** How many entries of no use the heap of ends may have, beside as many as useful ones. */
  private static final int MOST_PASSED = 1_000;

  private final LongFunction<Optional<WaitingEvent>> rows;
  private final IdTable<Line> lines = new IdTable<>(Line::id);
  private final Map<Kind.Key, Kind> kinds = new HashMap<>();
  private final PriorityQueue<Ticket> expiries = new PriorityQueue<>();
  private final IdTable<Ticket> identities = new IdTable<>(Ticket::event);
  private final int lowest;
  private final Gates gates;
  private long size;

  /**
   * @param rows reads a waiting event by its number; empty if it waits no longer
   */
  QueueIndex(QueueOrder order, LongFunction<Optional<WaitingEvent>> rows) {
    this.rows = rows;
    lowest = order.classCount() - 1;
    gates = new Gates(order);
  }

  /** Returns the gates at which the lines wait. */
  Gates gates() {
    return gates;
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
    return identities.get(identity.event()) != null;
  }

  /** Returns whether the event of this record waits. */
  boolean knowsRecord(Identity identity) {
    Ticket ticket = identities.get(identity.event());
    return ticket != null && ticket.record() == identity.record();
  }

  /**
   * Returns whether a new event must wait without being asked: its line is not empty, or an event
   * of the same or a higher class waits at the gate of one of its buckets, or rests or may be asked
   * and has one of its buckets.
   */
  boolean mustWait(Place place, long nowMs) {
    if (size == 0) return false;
    if (lines.get(place.line()) != null) return true;
    return gates.areBefore(place, nowMs);
  }

  /** Adds an event that waits without having been asked, or that was stored before. */
  void add(WaitingEvent event, long nowMicros) {
    Line line = append(event);
    if (line.size() > 1) return;
    gates.at(nowMicros);
    gates.place(line);
  }

  /** Adds a new event that was asked and refused. */
  void add(WaitingEvent event, List<Refusal> refusals, long nowMicros) {
    Line line = append(event);
    gates.at(nowMicros);
    gates.refused(line, refusals);
  }

  private Line append(WaitingEvent event) {
    size++;
    Ticket ticket = new Ticket(event);
    identities.add(ticket);
    expiries.add(ticket);
    Place place = event.place();
    Line line = lines.get(place.line());
    if (line == null) {
      // The row may be from a time with more classes.
      int rank = Math.min(place.rank(), lowest);
      Kind.Key key = new Kind.Key(place.limits(), rank);
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
   * Removes the head of a taken line, because the event has left.
   *
   * @param usesPermits whether it has used permits; otherwise its tenant is not charged
   */
  void left(Candidate candidate, WaitingEvent event, boolean usesPermits, long nowMicros) {
    gates.at(nowMicros);
    Line line = candidate.line();
    if (usesPermits) gates.left(candidate);
    else gates.refund(candidate);
    gone(line, event);
    if (advance(line)) gates.place(line);
    gates.answered(candidate);
  }

  /** Removes an event from any position of its line, because it has left without being asked. */
  void remove(WaitingEvent event, long nowMicros) {
    Line line = lines.get(event.place().line());
    if (line == null) return;
    if (line.head() != event.number()) {
      if (line.remove(event.number())) forget(line, event);
      return;
    }
    gates.at(nowMicros);
    Gate gate = gates.remove(line);
    gone(line, event);
    if (advance(line)) gates.place(line);
    gates.reopen(gate);
  }

  private void gone(Line line, WaitingEvent event) {
    line.headHasLeft();
    line.kind.byAge.remove(line);
    forget(line, event);
  }

  private void forget(Line line, WaitingEvent event) {
    size--;
    line.kind.length--;
    if (knowsRecord(event.identity())) identities.remove(event.identity().event());
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
    return Math.min(
        gates.nextMs(nowMs), expiries.isEmpty() ? Long.MAX_VALUE : expiries.peek().expiresMs);
  }

  /**
   * Estimates how long a new event of a line will wait, in microseconds: until its line's gate
   * opens, and then for the events before it.
   *
   * @param intervalMicros time that one event takes
   */
  long estimateMicros(Place place, long intervalMicros, long nowMicros) {
    Line line = lines.get(place.line());
    Gate last = line == null ? gates.last(place).orElse(null) : line.gate;
    long opens = last == null || !last.isClosed() ? 0 : last.opensMicros - nowMicros;
    long before =
        line == null ? (last == null ? 0 : last.waiters.countBefore(place.rank())) : line.size();
    return Math.max(0, opens) + before * intervalMicros;
  }
}
