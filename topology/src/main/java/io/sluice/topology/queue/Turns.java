package io.sluice.topology.queue;

import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Lines that wait at a gate, in the order of their turns: by class, then by fair shares of tenants,
 * then by arrival. The class of a line rises with the time that its first event has waited. Not
 * thread-safe.
 */
final class Turns {
  /*
   * The lines of one class and tenant are a flow, in the order of arrival. Within a flow, the first
   * line is also the one whose class has risen most, so only flows compete, each by its first line.
   */
  private final Contest contest;
  private final boolean isFair;
  private final long bucket;
  private final FlowHeap byTurn = new FlowHeap(Purpose.TURN);

  /** Flows whose class rises with time; null if there was none. */
  private FlowHeap byRise;

  /** Flows by class and tenant, if there may be many. */
  private final Map<Flow.Key, Flow> flows;

  /** Shares of the tenants, if there has been more than one here; otherwise null. */
  private FairShares shares;

  private int size;

  /** Rules by which lines compete, at the present time. */
  static final class Contest {
    final QueueOrder order;
    long nowMs;

    /** Last event that left without having waited; null if there was none. */
    private Admitted admitted;

    /** Event that left without having waited. */
    private record Admitted(Place place, double share) {}

    Contest(QueueOrder order) {
      this.order = order;
    }

    /** Returns the class in which a line competes. */
    int level(Line line) {
      if (line.rank() == 0 || order.agingMs() == 0) return line.rank();
      long risen = Math.max(0, nowMs - line.sinceMs()) / order.agingMs();
      return (int) Math.max(0, line.rank() - risen);
    }

    /** Returns the instant at which the class of a line rises; never if it is the highest. */
    long risesMs(Line line, int level) {
      if (level == 0 || order.agingMs() == 0) return Long.MAX_VALUE;
      return line.sinceMs() + (line.rank() - level + 1) * order.agingMs();
    }

    /** Returns the part of its tenant's share that an event takes. */
    double share(long cost, long tenant) {
      return cost / (double) order.weightOf(tenant);
    }

    double share(Line line) {
      return share(line.cost, line.tenant);
    }

    /** Notes that an event leaves without having waited, before others may have to wait. */
    void admitted(WaitingEvent event) {
      Place place = event.place();
      admitted = new Admitted(place, share(event.cost(), place.tenant()));
    }
  }

  private Turns(Contest contest, boolean isFair, long bucket) {
    this.contest = contest;
    this.isFair = isFair && contest.order.isFair();
    this.bucket = bucket;
    flows = this.isFair ? new HashMap<>(2) : Map.of();
  }

  /** Creates the turns of lines that wait for a bucket. */
  static Turns of(long bucket, Contest contest) {
    return new Turns(contest, true, bucket);
  }

  /** Creates the turns of lines that wait for no bucket, and may be asked. */
  static Turns free(Contest contest) {
    Turns turns = new Turns(contest, true, 0);
    if (turns.isFair) turns.shares = new FairShares(contest.order.classCount());
    return turns;
  }

  /** Creates the turns of lines that are not to be asked before an instant; without shares. */
  static Turns later(Contest contest) {
    return new Turns(contest, false, 0);
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the line whose turn is next. To be called only if there is one. */
  Line first() {
    return byTurn.first().lines.first();
  }

  /** Returns the class in which the first line competes. */
  int firstLevel() {
    return byTurn.first().level;
  }

  /** Lets the classes of lines rise whose time has come. */
  void rise() {
    while (rises() && byRise.first().risesMs <= contest.nowMs) {
      Flow flow = byRise.first();
      detach(flow);
      attach(flow);
    }
  }

  private boolean rises() {
    return byRise != null && !byRise.isEmpty();
  }

  /** Returns the next instant at which the class of a line rises, epoch microseconds. */
  long risesMicros() {
    if (!rises()) return Long.MAX_VALUE;
    return Math.max(contest.nowMs + 1, byRise.first().risesMs) * 1_000;
  }

  /** Returns whether a line waits here that competes in this class or a higher one. */
  boolean hasBefore(int level) {
    return !isEmpty() && firstLevel() <= level;
  }

  /** Returns whether the first line here has its turn before another line. */
  boolean isBefore(Line other) {
    int level = contest.level(other);
    return isBefore(other, level, start(level, other.tenant));
  }

  /** Returns whether the first line here has its turn before a line that was polled elsewhere. */
  boolean isBeforeOther(Polled asked) {
    return isBefore(asked.line(), asked.level(), start(asked.level(), asked.line().tenant));
  }

  /** Returns whether the first line here has its turn before a line that was polled here. */
  boolean isBefore(Polled asked) {
    return isBefore(asked.line(), asked.level(), asked.start());
  }

  private boolean isBefore(Line other, int level, double start) {
    if (isEmpty()) return false;
    Flow first = byTurn.first();
    if (first.level != level) return first.level < level;
    if (first.start != start) return first.start < start;
    return first.lines.first().isOlder(other);
  }

  void add(Line line) {
    size++;
    Flow flow = flow(line.rank(), line.tenant);
    if (flow == null) {
      flow = new Flow(line);
      if (isFair) flows.put(flow.key(), flow);
    } else {
      if (flow.lines.first().isOlder(line)) {
        flow.lines.add(line);
        return;
      }
      detach(flow);
    }
    flow.lines.add(line);
    attach(flow);
    if (isFair && shares == null && flows.size() > 1) share();
  }

  /**
   * Begins to share. The tenant of the event that left last, just before others had to wait, has
   * had its turn.
   */
  private void share() {
    shares = new FairShares(contest.order.classCount());
    Contest.Admitted last = contest.admitted;
    if (last != null && last.place.buckets().contains(bucket))
      shares.charge(last.place.rank(), last.place.tenant(), last.share);
    for (Flow flow : flows.values()) {
      detach(flow);
      attach(flow);
    }
  }

  private double start(int level, long tenant) {
    return shares == null ? 0 : shares.start(level, tenant);
  }

  void remove(Line line) {
    Flow flow = flow(line.rank(), line.tenant);
    size--;
    detach(flow);
    flow.lines.remove(line);
    if (!flow.lines.isEmpty()) attach(flow);
    else if (isFair) flows.remove(flow.key());
  }

  /** Removes the first line to be asked, and charges its tenant for it. */
  Polled poll() {
    Flow flow = byTurn.first();
    Line line = flow.lines.first();
    Polled polled = new Polled(line, flow.level, flow.start);
    if (shares != null) shares.charge(flow.level, line.tenant, contest.share(line));
    remove(line);
    if (shares != null) resume(flow.level, line.tenant);
    return polled;
  }

  /** Takes the charge for a line back that was asked and has not left. */
  void refund(Polled polled) {
    if (shares == null) return;
    shares.charge(polled.level(), polled.line().tenant, -contest.share(polled.line()));
    resume(polled.level(), polled.line().tenant);
  }

  /** Notes that the first event of a line, which was polled here, leaves. */
  void left(Polled polled) {
    if (shares != null) shares.advance(polled.level(), polled.start(), flows.size());
  }

  /** Charges the tenant of an event that leaves from another gate, or has not waited. */
  void leftElsewhere(int level, long tenant, double share) {
    if (shares == null || isEmpty()) return;
    shares.charge(level, tenant, share);
    resume(level, tenant);
  }

  /** Puts the flows of a tenant to their places, after its share in a class has changed. */
  private void resume(int level, long tenant) {
    for (int rank = level; rank < contest.order.classCount(); rank++) {
      Flow flow = flow(rank, tenant);
      if (flow == null || flow.level != level) continue;
      detach(flow);
      attach(flow);
    }
  }

  /** Returns the number of lines here that compete in a class or a higher one, roughly if many. */
  int countBefore(int level) {
    if (byTurn.size() > MOST_COUNTED) return size;
    int count = 0;
    for (int i = 0; i < byTurn.size(); i++) {
      if (byTurn.get(i).level <= level) count += byTurn.get(i).lines.size();
    }
    return count;
  }

  /** Returns whether a line that competes in a class or a higher one fulfils a condition. */
  boolean hasAny(int level, Predicate<Line> condition) {
    for (int i = 0; i < byTurn.size(); i++) {
      Flow flow = byTurn.get(i);
      if (flow.level > level) continue;
      for (int at = 0; at < flow.lines.size(); at++)
        if (condition.test(flow.lines.get(at))) return true;
    }
    return false;
  }

  private Flow flow(int rank, long tenant) {
    if (isFair) return flows.get(new Flow.Key(rank, tenant));
    for (int i = 0; i < byTurn.size(); i++) {
      if (byTurn.get(i).rank == rank) return byTurn.get(i);
    }
    return null;
  }

  private void attach(Flow flow) {
    Line first = flow.lines.first();
    flow.level = contest.level(first);
    flow.risesMs = contest.risesMs(first, flow.level);
    flow.start = start(flow.level, flow.tenant);
    byTurn.add(flow);
    if (flow.risesMs == Long.MAX_VALUE) return;
    if (byRise == null) byRise = new FlowHeap(Purpose.RISE);
    byRise.add(flow);
  }

  private void detach(Flow flow) {
    byTurn.remove(flow);
    if (flow.risePlace != IndexedHeap.NOWHERE) byRise.remove(flow);
  }

  private static final int MOST_COUNTED = 100;

  /**
   * Line that was removed because its first event is to be asked.
   *
   * @param level class in which the line competes
   * @param start virtual time at which its tenant's turn begins
   */
  record Polled(Line line, int level, double start) {}

  /** Lines of one class and tenant, in the order of their arrival. */
  private static final class Flow {
    final int rank;
    final long tenant;
    final Line.Heap lines = new Line.Heap(Line.Heap.Purpose.TURN);
    int level;
    double start;
    long risesMs;
    int turnPlace = IndexedHeap.NOWHERE;
    int risePlace = IndexedHeap.NOWHERE;

    Flow(Line line) {
      rank = line.rank();
      tenant = line.tenant;
    }

    record Key(int rank, long tenant) {}

    Key key() {
      return new Key(rank, tenant);
    }
  }

  private enum Purpose {
    TURN,
    RISE
  }

  private static final class FlowHeap extends IndexedHeap<Flow> {
    private final Purpose purpose;

    FlowHeap(Purpose purpose) {
      this.purpose = purpose;
    }

    @Override
    boolean isBefore(Flow one, Flow other) {
      if (purpose == Purpose.RISE) return one.risesMs < other.risesMs;
      if (one.level != other.level) return one.level < other.level;
      if (one.start != other.start) return one.start < other.start;
      return one.lines.first().isOlder(other.lines.first());
    }

    @Override
    void setPosition(Flow flow, int position) {
      if (purpose == Purpose.TURN) flow.turnPlace = position;
      else flow.risePlace = position;
    }

    @Override
    int position(Flow flow) {
      return purpose == Purpose.TURN ? flow.turnPlace : flow.risePlace;
    }
  }
}
