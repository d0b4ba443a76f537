package io.sluice.topology.queue;

import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.Turns.Contest;
import io.sluice.topology.queue.Turns.Polled;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Gates at which the lines of a queue wait, and the order in which their heads are asked. Not
 * thread-safe.
 */
final class Gates {
  /*
   * Invariants:
   * - A line waits at exactly one gate, or is taken by the caller between take() and the answer.
   *   Lines that no gate keeps from being asked are at the gate `free`, which is always open.
   * - A gate is in `ready` if it is open and lines wait there. After a gate has refused its first
   *   line, it is closed again, so the others need not be touched.
   * - A gate of a bucket that is open, has no lines, and of which none is taken is dropped, with the
   *   shares of tenants there. As long as heads of several tenants have to wait for a bucket, it has
   *   lines.
   */

  /** Most heads with which the buckets of a new event are compared. */
  private static final int MOST_COMPARED = 200;

  /**
   * Most gates that {@link #open} opens, or lines that {@link #take} moves to gates, in one call,
   * so that a call takes about a millisecond.
   */
  private static final int MOST_MOVED = 1_000;

  private final IdTable<Gate> gates = new IdTable<>(gate -> gate.bucket);
  private final GateHeap ready = new GateHeap();
  private final NextHeap closed = new NextHeap();
  private final Contest contest;
  private final Gate free;
  private final Gate resting;
  private Iterator<Gate> reopening = Collections.emptyIterator();
  private boolean reopensAgain;
  private long nowMicros;

  Gates(QueueOrder order) {
    contest = new Contest(order);
    free = new Gate(Turns.free(contest));
    resting = ofNoBucket();
  }

  private Gate ofNoBucket() {
    return new Gate(Turns.later(contest));
  }

  /**
   * Returns whether an event of the same class as a new one or of a higher class waits at the gate
   * of one of its buckets, or rests or may be asked and has one of its buckets.
   */
  boolean areBefore(Place place, long nowMs) {
    contest.nowMs = nowMs;
    if (isBehindReady(place)) return true;
    for (long bucket : place.buckets()) {
      Gate gate = gates.get(bucket);
      if (gate == null) continue;
      update(gate);
      if (gate.waiters.hasBefore(place.rank())) return true;
    }
    return false;
  }

  /**
   * Returns whether a head that may be asked, or that rests, is before a new event at one of its
   * buckets. If there are very many of them, assumes that one of them is.
   */
  private boolean isBehindReady(Place place) {
    update(free);
    update(resting);
    Predicate<Line> shares = line -> line.hasAny(place.buckets());
    if (isBehind(free.waiters, place, shares) || isBehind(resting.waiters, place, shares))
      return true;
    if (ready.isEmpty() || ready.first().waiters.firstLevel() > place.rank()) return false;
    if (ready.size() > MOST_COMPARED) return true;
    for (int i = 0; i < ready.size(); i++) {
      Gate gate = ready.get(i);
      Turns waiters = gate.waiters;
      if (gate.isNoted ? isBehind(waiters, place, shares) : isBehindFirst(waiters, place, shares))
        return true;
    }
    return false;
  }

  private static boolean isBehindFirst(Turns heads, Place place, Predicate<Line> shares) {
    return heads.hasBefore(place.rank()) && shares.test(heads.first());
  }

  private static boolean isBehind(Turns heads, Place place, Predicate<Line> shares) {
    if (!heads.hasBefore(place.rank())) return false;
    return heads.size() > MOST_COMPARED || heads.hasAny(place.rank(), shares);
  }

  /** Sets the present time, for the calls that follow. */
  void at(long nowMicros) {
    this.nowMicros = nowMicros;
    contest.nowMs = nowMicros / 1_000;
  }

  /**
   * Puts a line to the closed gate of its buckets that opens last or, if none keeps its head from
   * being asked, among the lines that may be asked.
   */
  void place(Line line) {
    Gate last = blocking(line);
    join(last == null ? contended(line) : last, line);
  }

  private void join(Gate gate, Line line) {
    line.gate = gate;
    gate.waiters.add(line);
    if (gate.risesBeforeOpening()) plan(gate);
    update(gate);
  }

  private Gate blocking(Line line) {
    long notBeforeMicros = line.notBeforeMs * 1_000;
    if (notBeforeMicros > nowMicros) return closed(ofNoBucket(), notBeforeMicros, line);
    Gate last = null;
    int level = contest.level(line);
    for (long bucket : line.buckets) {
      Gate gate = gates.get(bucket);
      if (gate == null || !gate.isClosed()) continue;
      gate.waiters.rise();
      if (!gate.blocks(level, line.cost)) continue;
      if (last == null || gate.opensMicros > last.opensMicros) last = gate;
    }
    return last;
  }

  /**
   * Returns the open gate at which a line whose head may be asked has its candidate. If tenants
   * have shares, that is one at which lines of others have theirs.
   */
  private Gate contended(Line line) {
    if (!contest.order.isFair()) return free;
    Gate found = free;
    for (long bucket : line.buckets) {
      Gate gate = gates.get(bucket);
      if (gate == null || gate.isClosed()) continue;
      if (found == free || gate.waiters.size() > found.waiters.size()) found = gate;
    }
    return found;
  }

  private Gate closed(Gate gate, long opensMicros, Line by) {
    gate.close(opensMicros, contest.level(by), by.cost);
    plan(gate);
    return gate;
  }

  /** Puts a closed gate to its place among those that are to be looked at later. */
  private void plan(Gate gate) {
    gate.plan();
    if (gate.nextPlace == IndexedHeap.NOWHERE) closed.add(gate);
    else closed.update(gate);
  }

  /** Opens the gates whose time has come. To be called before {@link #take}. */
  void open(long nowMicros) {
    at(nowMicros);
    while (!closed.isEmpty() && closed.first().nextMicros <= nowMicros) pass(closed.first());
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
    List<Gate> all = gates.all();
    // New events do not see these gates, so heads there must have their turns at once.
    all.sort(Comparator.comparing(gate -> !gate.isNoted));
    all.add(resting);
    reopening = all.iterator();
  }

  /** Returns the number of closed gates that are to be looked at later. */
  int closed() {
    return closed.size();
  }

  /** Returns whether there may be lines whose heads are to be asked. */
  boolean hasReady() {
    return !ready.isEmpty();
  }

  /** Opens a gate whose time has come, or whose first line may ask since its class has risen. */
  private void pass(Gate gate) {
    gate.waiters.rise();
    if (gate.opensMicros <= nowMicros || gate.letsFirstAsk()) open(gate);
    else plan(gate);
  }

  private void open(Gate gate) {
    gate.open();
    if (gate.nextPlace != IndexedHeap.NOWHERE) closed.remove(gate);
    update(gate);
  }

  /** Puts a gate to its place among those with lines to be asked; drops a gate of no use. */
  private void update(Gate gate) {
    gate.waiters.rise();
    boolean isIn = gate.readyPlace != IndexedHeap.NOWHERE;
    if (gate.isReady() && isIn) ready.update(gate);
    else if (gate.isReady()) ready.add(gate);
    else if (isIn) ready.remove(gate);
    if (gate.ofBucket && gate.isIdle()) gates.remove(gate.bucket);
  }

  /**
   * Takes the next lines whose heads are to be asked, in order. The caller must then call {@link
   * #left}, {@link #refused}, {@link #unasked} or {@link #rest} with each of them, in this order.
   * The result may be empty although {@link #hasReady}, if many lines were moved to gates.
   */
  List<Candidate> take(int most, long nowMicros) {
    at(nowMicros);
    update(free);
    List<Candidate> taken = new ArrayList<>();
    for (int moved = 0; moved < MOST_MOVED && taken.size() < most && hasReady(); moved++) {
      Gate gate = ready.first();
      Line line = gate.waiters.first();
      Gate other = blocking(line);
      if (other == null && !line.wasMoved) other = ahead(line);
      if (other == null) {
        taken.add(new Candidate(gate, gate.waiters.poll()));
        gate.taken++;
        line.gate = null;
      } else {
        gate.waiters.remove(line);
        line.wasMoved = !other.isClosed();
        update(gate);
        join(other, line);
        continue;
      }
      update(gate);
    }
    return taken;
  }

  /** Returns another open gate at which other lines have their turns before a line. */
  private Gate ahead(Line line) {
    if (!contest.order.isFair()) return null;
    for (long bucket : line.buckets) {
      Gate gate = gates.get(bucket);
      if (gate == null || gate == line.gate || !gate.isReady()) continue;
      if (gate.waiters.isBefore(line)) return gate;
    }
    return null;
  }

  /** Charges the tenant of a taken line, because the head of the line leaves. */
  void left(Candidate candidate) {
    Line line = candidate.line();
    candidate.gate().waiters.left(candidate.polled());
    if (!contest.order.isFair()) return;
    double share = contest.share(line);
    for (long bucket : line.buckets) {
      if (gates.get(bucket) == candidate.gate()) continue;
      chargeAt(bucket, candidate.level(), line.tenant, share);
    }
  }

  private void chargeAt(long bucket, int level, long tenant, double share) {
    Gate gate = gates.get(bucket);
    if (gate == null) return;
    gate.waiters.leftElsewhere(level, tenant, share);
    update(gate);
  }

  /** Notes that a new event leaves without having waited. */
  void admitted(WaitingEvent event) {
    if (!contest.order.isFair()) return;
    Place place = event.place();
    double share = contest.share(event.cost(), place.tenant());
    contest.admitted(event);
    for (long bucket : place.buckets()) chargeAt(bucket, place.rank(), place.tenant(), share);
  }

  /** Closes the gates of the buckets that refused the head of a new line, and has it wait. */
  void refused(Line line, List<Refusal> refusals) {
    close(new Candidate(free, new Polled(line, contest.level(line), 0)), refusals);
    place(line);
  }

  /** Removes a line that waits, because its head leaves without being asked. */
  Gate remove(Line line) {
    Gate gate = line.gate;
    gate.waiters.remove(line);
    update(gate);
    line.gate = null;
    return gate;
  }

  /** Opens a gate that a line has left, since others there may need fewer permits. */
  void reopen(Gate gate) {
    if (gate.isClosed()) open(gate);
  }

  /** Returns the next instant at which a head may be asked, epoch milliseconds. */
  long nextMs(long nowMs) {
    if (hasReady() || reopening.hasNext() || reopensAgain) return nowMs;
    return closed.isEmpty() ? Long.MAX_VALUE : (closed.first().nextMicros + 999) / 1_000;
  }

  /** Returns the gate of a place's buckets that opens last; empty if none has a gate. */
  Optional<Gate> last(Place place) {
    return place.buckets().stream()
        .map(gates::get)
        .filter(gate -> gate != null)
        .max(Comparator.comparingLong(gate -> gate.opensMicros));
  }

  /** Has other lines use the gate of a taken line, whose event was answered. */
  void answered(Candidate candidate) {
    candidate.line().wasMoved = false;
    candidate.gate().taken--;
    update(candidate.gate());
  }

  /**
   * Closes gates of the buckets that refused the head of a taken line: the gate at which the head
   * waits, and those at which no line waits. If another line has its turn before this one, it
   * decides when the gate opens, because it may need fewer permits.
   */
  void refused(Candidate candidate, List<Refusal> refusals, long nowMicros) {
    at(nowMicros);
    refund(candidate);
    close(candidate, refusals);
    place(candidate.line());
    answered(candidate);
  }

  /** Takes back what the tenant of a taken line was charged, because the head has used nothing. */
  void refund(Candidate candidate) {
    candidate.gate().waiters.refund(candidate.polled());
    update(candidate.gate());
  }

  private void close(Candidate candidate, List<Refusal> refusals) {
    Line line = candidate.line();
    line.dropNotes();
    Gate elsewhere = blocking(line);
    Refusal last = Collections.max(refusals, Comparator.comparingLong(Refusal::opensMicros));
    for (Refusal each : refusals) {
      Gate gate = ofBucket(each.bucket());
      if (line.note(each.bucket())) gate.isNoted = true;
      boolean isLater = elsewhere == null || elsewhere.opensMicros <= each.opensMicros();
      boolean waitsHere = each.bucket() == last.bucket() && (isLater || elsewhere == gate);
      boolean closes = waitsHere ? !isBefore(gate, candidate) : gate.waiters.isEmpty();
      if (closes) closed(gate, Math.max(nowMicros + 1, each.opensMicros()), line);
      update(gate);
    }
  }

  private static boolean isBefore(Gate gate, Candidate candidate) {
    return gate == candidate.gate()
        ? gate.waiters.isBefore(candidate.polled())
        : gate.waiters.isBeforeOther(candidate.polled());
  }

  private Gate ofBucket(long bucket) {
    Gate known = gates.get(bucket);
    if (known != null) return known;
    Gate gate = new Gate(bucket, Turns.of(bucket, contest));
    gates.add(gate);
    return gate;
  }

  /**
   * Puts a taken line back, because its head was not asked.
   *
   * @param untilMicros instant from which the head may be asked, epoch microseconds
   */
  void unasked(Candidate candidate, long untilMicros, long nowMicros) {
    at(nowMicros);
    refund(candidate);
    Line line = candidate.line();
    if (untilMicros > nowMicros) join(closed(ofNoBucket(), untilMicros, line), line);
    else place(line);
    answered(candidate);
  }

  /**
   * Has a taken line rest, because Redis did not answer. Lines rest together, until the latest
   * instant that any of them was given, or until {@link #openAll}.
   */
  void rest(Candidate candidate, long untilMicros) {
    if (!resting.isClosed() || resting.opensMicros < untilMicros)
      closed(resting, untilMicros, candidate.line());
    refund(candidate);
    join(resting, candidate.line());
    answered(candidate);
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

  /**
   * Line whose first event is to be asked.
   *
   * @param gate gate from which the line was taken
   */
  record Candidate(Gate gate, Polled polled) {
    Line line() {
      return polled.line();
    }

    /** Returns the class in which the line competes. */
    int level() {
      return polled.level();
    }
  }

  /** Closed gates, ordered by the instants at which they are to be looked at. */
  private static final class NextHeap extends IndexedHeap<Gate> {
    @Override
    boolean isBefore(Gate one, Gate other) {
      return one.nextMicros < other.nextMicros;
    }

    @Override
    void setPosition(Gate gate, int position) {
      gate.nextPlace = position;
    }

    @Override
    int position(Gate gate) {
      return gate.nextPlace;
    }
  }

  /** Open gates with lines to be asked, ordered by their first lines. */
  private static final class GateHeap extends IndexedHeap<Gate> {
    @Override
    boolean isBefore(Gate one, Gate other) {
      int level = one.waiters.firstLevel();
      int otherLevel = other.waiters.firstLevel();
      if (level != otherLevel) return level < otherLevel;
      return one.waiters.first().isOlder(other.waiters.first());
    }

    @Override
    void setPosition(Gate gate, int position) {
      gate.readyPlace = position;
    }

    @Override
    int position(Gate gate) {
      return gate.readyPlace;
    }
  }
}
