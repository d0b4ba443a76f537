package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.EventHash;
import io.sluice.limiter.Identity;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.testing.TestScale;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.Gates.Candidate;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the index by random events, costs, buckets and ends, against the rules of waiting: order
 * within a line, no overtaking at a gate, no gate that stays closed, and no question without need.
 */
class QueueIndexTest {
  private static final long TICK_MICROS = 100_000;
  private static final int SHARED = 3;

  /** Bucket of a funnel, and the way to ask it. */
  private static final class Bucket {
    final long id;
    final long intervalMicros;
    final long burst;
    long tat;

    Bucket(long id, long intervalMicros, long burst) {
      this.id = id;
      this.intervalMicros = intervalMicros;
      this.burst = burst;
    }

    long conformsAtMicros(long cost) {
      return tat + cost * intervalMicros - burst * intervalMicros;
    }

    void charge(long cost, long nowMicros) {
      tat = Math.max(tat, nowMicros) + cost * intervalMicros;
    }
  }

  /** Events that wait, with the buckets that they are asked for. */
  private final class World {
    final SplittableRandom random;
    final TreeMap<Long, WaitingEvent> rows = new TreeMap<>();
    final Map<Long, Bucket> buckets = new HashMap<>();
    final Map<Long, Long> lastOfLine = new HashMap<>();
    final QueueOrder order;
    final QueueIndex index;
    long nowMicros = 1_000_000_000;
    long nextNumber;
    long asked;
    long arrived;
    long released;
    long refused;

    World(long seed) {
      this(seed, QueueOrder.ARRIVAL);
    }

    World(long seed, QueueOrder order) {
      this.order = order;
      index = new QueueIndex(order, number -> Optional.ofNullable(rows.get(number)));
      random = new SplittableRandom(seed);
      for (long id = 0; id < SHARED; id++) {
        buckets.put(id, new Bucket(id, 1 + random.nextInt(80_000), 4 + random.nextInt(5)));
      }
    }

    Bucket own(long id) {
      return buckets.computeIfAbsent(id, each -> new Bucket(each, 1_000 + 50_000 * (each % 17), 4));
    }

    List<Bucket> of(WaitingEvent event) {
      return event.place().buckets().stream().map(buckets::get).toList();
    }

    List<Refusal> ask(WaitingEvent event) {
      asked++;
      List<Refusal> refusals = new ArrayList<>();
      for (Bucket each : of(event)) {
        long at = each.conformsAtMicros(event.cost());
        if (at > nowMicros) refusals.add(new Refusal(each.id, at));
      }
      if (refusals.isEmpty()) {
        for (Bucket each : of(event)) each.charge(event.cost(), nowMicros);
      } else {
        refused++;
      }
      return refusals;
    }

    void arrive() {
      long user = 100 + random.nextInt(40);
      long shared = random.nextInt(SHARED);
      int rank = random.nextInt(order.classCount());
      long tenant = order.isFair() ? 1 + random.nextInt(3) : 0;
      own(user);
      List<Long> of = random.nextInt(10) == 0 ? List.of(user) : List.of(shared, user);
      Place place =
          new Place(
              user * 1_000 + of.get(0) * 20 + rank + 5 * tenant,
              rank,
              tenant,
              List.of("limit"),
              of);
      long end = random.nextInt(20) == 0 ? random.nextInt(2_000) : 1_000_000_000L;
      long nowMs = nowMicros / 1_000;
      long later = random.nextInt(30) == 0 ? random.nextInt(500) : 0;
      long number = nextNumber++;
      WaitingEvent event =
          new WaitingEvent(
              number,
              nowMs,
              later > 0 ? nowMs + later : 0,
              1 + random.nextInt(4),
              nowMs + end,
              new Identity(number, 0, false),
              false,
              place);
      arrived++;
      if (later > 0 || index.mustWait(place, nowMs)) {
        rows.put(number, event);
        index.add(event, nowMicros);
        return;
      }
      List<Refusal> refusals = ask(event);
      if (refusals.isEmpty()) {
        leaves(event);
      } else {
        rows.put(number, event);
        index.add(event, refusals, nowMicros);
      }
    }

    void leaves(WaitingEvent event) {
      released++;
      Long last = lastOfLine.put(event.place().line(), event.number());
      assertThat(last == null || last < event.number()).as("order within a line").isTrue();
      for (WaitingEvent other : rows.values()) {
        if (!isBefore(other, event)) continue;
        index
            .waitsAt(other.place().line())
            .ifPresent(
                at -> {
                  boolean isHead = isHead(other);
                  boolean shares = event.place().buckets().contains(at);
                  assertThat(isHead && shares).as("%s passes %s", event, other).isFalse();
                });
      }
    }

    /** Returns the class in which an event competes. */
    private int level(WaitingEvent event) {
      if (order.agingMs() == 0) return event.place().rank();
      long risen = Math.max(0, nowMicros / 1_000 - sinceMs(event)) / order.agingMs();
      return (int) Math.max(0, event.place().rank() - risen);
    }

    private static long sinceMs(WaitingEvent event) {
      return Math.max(event.arrivalMs(), event.notBeforeMs());
    }

    private boolean isBefore(WaitingEvent one, WaitingEvent other) {
      if (level(one) != level(other)) return level(one) < level(other);
      if (sinceMs(one) != sinceMs(other)) return !order.isFair() && sinceMs(one) < sinceMs(other);
      return !order.isFair() && one.number() < other.number();
    }

    private boolean isHead(WaitingEvent event) {
      return rows.values().stream()
              .filter(each -> each.place().line() == event.place().line())
              .findFirst()
              .orElseThrow()
          == event;
    }

    void tick() {
      nowMicros += TICK_MICROS;
      long nowMs = nowMicros / 1_000;
      while (true) {
        Optional<WaitingEvent> expired = index.pollExpired(nowMs);
        if (expired.isEmpty()) break;
        assertThat(rows.remove(expired.get().number())).isNotNull();
        index.remove(expired.get(), nowMicros);
      }
      index.gates().open(nowMicros);
      int most = 1 + random.nextInt(4);
      List<Candidate> turns = index.gates().take(most, nowMicros);
      int loops = 0;
      while (!turns.isEmpty()) {
        assertThat(loops++).as("questions of one tick").isLessThan(3_000);
        for (Candidate candidate : turns) {
          WaitingEvent head = rows.get(candidate.line().head());
          List<Refusal> refusals = ask(head);
          if (refusals.isEmpty()) {
            rows.remove(head.number());
            if (most == 1) leaves(head);
            else released++;
            index.left(candidate, head, true, nowMicros);
          } else {
            index.gates().refused(candidate, refusals, nowMicros);
          }
        }
        turns = index.gates().take(most, nowMicros);
      }
      allHeadsWaitForAReason();
    }

    /** Checks that each head is refused by its buckets, or that an earlier head waits for one. */
    private void allHeadsWaitForAReason() {
      Map<Long, WaitingEvent> heads = new HashMap<>();
      for (WaitingEvent each : rows.values()) heads.putIfAbsent(each.place().line(), each);
      assertThat(index.size()).isEqualTo(rows.size());
      for (WaitingEvent head : heads.values()) {
        boolean isEarly = head.notBeforeMs() * 1_000 > nowMicros;
        boolean isRefused =
            of(head).stream().anyMatch(each -> each.conformsAtMicros(head.cost()) > nowMicros);
        boolean isBehind =
            heads.values().stream()
                .filter(other -> other != head)
                .filter(other -> level(other) <= level(head))
                .anyMatch(
                    other ->
                        index.waitsAt(other.place().line()).isPresent()
                            && head.place()
                                .buckets()
                                .contains(index.waitsAt(other.place().line()).getAsLong()));
        assertThat(isEarly || isRefused || isBehind).as("%s may leave", head).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void randomEventsLeaveByTheRules(QueueOrder order) {
    long seed = TestScale.seed();
    for (int round = 0; round < TestScale.of(30, 3_000); round++) {
      World world = new World(seed + round, order);
      for (int i = 0; i < 60; i++) {
        int arriving = world.random.nextInt(8);
        for (int j = 0; j < arriving; j++) world.arrive();
        world.tick();
      }
      for (int i = 0; i < 5_000 && world.index.size() > 0; i++) world.tick();
      assertThat(world.index.size()).as("seed %s", seed + round).isZero();
      assertThat(world.index.nextMs(0)).isEqualTo(Long.MAX_VALUE);
      assertThat(world.index.kinds()).isEmpty();
    }
  }

  static List<QueueOrder> orders() {
    return List.of(
        QueueOrder.ARRIVAL, order(0, false), order(400, false), order(0, true), order(400, true));
  }

  /** Returns the order of three classes, with tenants 1 to 3 that have weights 1, 2 and 3. */
  private static QueueOrder order(long agingMs, boolean isFair) {
    Optional<Field> tenant = isFair ? Optional.of(Field.TARGET) : Optional.empty();
    return new QueueOrder(
        Optional.of(Field.ACTION), List.of("otp", "*", "marketing"), agingMs, tenant, Map.of());
  }

  /** Always the same number of waiting events for each tenant, on the way to one vendor. */
  private static final class Tenants {
    static final Map<String, Integer> WEIGHTS = Map.of("a", 3, "b", 1, "c", 2);
    final World world;
    final Bucket vendor = new Bucket(7, 10_000, 6);
    final Map<Long, Integer> weights = new HashMap<>();
    final Map<Long, Double> served = new HashMap<>();
    final Map<Long, Long> largest = new HashMap<>();
    final Map<List<Long>, double[]> ranges = new HashMap<>();
    final int phones;

    Tenants(QueueIndexTest test, long seed, int phones) {
      QueueOrder order =
          new QueueOrder(Optional.empty(), List.of(), 0, Optional.of(Field.TARGET), WEIGHTS);
      world = test.new World(seed, order);
      world.buckets.put(vendor.id, vendor);
      this.phones = phones;
      WEIGHTS.forEach((name, weight) -> weights.put(EventHash.of(name), weight));
      for (long tenant : weights.keySet()) for (int i = 0; i < 20 + phones; i++) add(tenant);
    }

    void add(long tenant) {
      long phone = 1_000 + world.random.nextInt(2 * phones + 1);
      if (phones > 0)
        world.buckets.computeIfAbsent(
            phone, id -> new Bucket(id, 20_000_000L / phones + 10_000 * (id % 7), 4));
      List<Long> buckets = phones == 0 ? List.of(vendor.id) : List.of(phone, vendor.id);
      long number = world.nextNumber++;
      // The costs of a tenant are alike, but not those of different tenants.
      long cost = 1 + Math.floorMod(tenant, 2L) + world.random.nextInt(3);
      largest.merge(tenant, cost, Math::max);
      Place place = new Place(tenant + phone * 31, 0, tenant, List.of("vendor"), buckets);
      WaitingEvent event =
          new WaitingEvent(
              number,
              world.nowMicros / 1_000,
              0,
              cost,
              Long.MAX_VALUE,
              new Identity(number, 0, false),
              false,
              place);
      world.rows.put(number, event);
      world.index.add(event, world.nowMicros);
    }

    void tick() {
      world.nowMicros += 7_000;
      world.index.gates().open(world.nowMicros);
      List<Candidate> turns = world.index.gates().take(1, world.nowMicros);
      while (!turns.isEmpty()) {
        ask(turns.get(0));
        turns = world.index.gates().take(1, world.nowMicros);
      }
    }

    private void ask(Candidate candidate) {
      WaitingEvent head = world.rows.get(candidate.line().head());
      List<Refusal> refusals = world.ask(head);
      if (!refusals.isEmpty()) {
        world.index.gates().refused(candidate, refusals, world.nowMicros);
        return;
      }
      world.rows.remove(head.number());
      world.index.left(candidate, head, true, world.nowMicros);
      long tenant = head.place().tenant();
      served.merge(tenant, head.cost() / (double) weights.get(tenant), Double::sum);
      add(tenant);
      weights.keySet().forEach(one -> weights.keySet().forEach(other -> observe(one, other)));
    }

    private void observe(long one, long other) {
      double ahead = served.getOrDefault(one, 0.0) - served.getOrDefault(other, 0.0);
      double[] range = ranges.computeIfAbsent(List.of(one, other), pair -> new double[2]);
      range[0] = Math.min(range[0], ahead);
      range[1] = Math.max(range[1], ahead);
    }

    void allHaveTheirShares() {
      ranges.forEach(
          (pair, range) -> {
            double bound = 0;
            for (long tenant : pair) bound += largest.get(tenant) / (double) weights.get(tenant);
            boolean same = pair.get(0).equals(pair.get(1));
            assertThat(range[1] - range[0]).isLessThanOrEqualTo(same ? 0 : bound + 1e-6);
          });
    }
  }

  /** Other buckets of the events, some of which refuse them, make no difference to the shares. */
  @ParameterizedTest
  @ValueSource(ints = {0, 50, 200})
  void tenantsShareAGateByTheirWeights(int phones) {
    for (int round = 0; round < TestScale.of(5, 200); round++) {
      Tenants tenants = new Tenants(this, TestScale.seed() + round, phones);
      // The shares begin when the vendor has refused a head.
      for (int i = 0; i < 20; i++) tenants.tick();
      tenants.served.clear();
      tenants.ranges.clear();
      for (int i = 0; i < 2_000; i++) tenants.tick();
      assertThat(tenants.served.values()).allMatch(served -> served > 50);
      tenants.allHaveTheirShares();
    }
  }

  @Test
  void anOpeningCostsOneQuestionInVain() {
    World world = new World(TestScale.seed());
    Bucket vendor = new Bucket(7, 70_000, 1);
    world.buckets.put(vendor.id, vendor);
    for (int i = 0; i < 200; i++) {
      Place place = new Place(1_000 + i, 0, 0, List.of("vendor"), List.of(vendor.id));
      WaitingEvent event =
          new WaitingEvent(i, 0, 0, 1, Long.MAX_VALUE, new Identity(i, 0, false), false, place);
      world.rows.put(event.number(), event);
      world.index.add(event, world.nowMicros);
    }
    for (int i = 0; i < 2_000 && world.index.size() > 0; i++) {
      world.nowMicros += TICK_MICROS / 10;
      world.index.gates().open(world.nowMicros);
      for (Candidate candidate : world.index.gates().take(1, world.nowMicros)) {
        WaitingEvent head = world.rows.get(candidate.line().head());
        List<Refusal> refusals = world.ask(head);
        if (refusals.isEmpty()) {
          world.released++;
          world.rows.remove(head.number());
          world.index.left(candidate, head, true, world.nowMicros);
        } else {
          world.index.gates().refused(candidate, refusals, world.nowMicros);
        }
      }
    }
    assertThat(world.released).isEqualTo(200);
    assertThat(world.refused).isLessThanOrEqualTo(200);
  }

  @Test
  void newEventsWaitBehindHeadsThatRest() {
    World world = new World(TestScale.seed());
    Place place = new Place(1, 0, 0, List.of("vendor"), List.of(7L));
    Place another = new Place(2, 0, 0, List.of("vendor"), List.of(7L));
    Place apart = new Place(3, 0, 0, List.of("vendor"), List.of(8L));
    WaitingEvent event =
        new WaitingEvent(0, 0, 0, 1, Long.MAX_VALUE, new Identity(0, 0, false), true, place);
    world.rows.put(0L, event);
    world.index.add(event, world.nowMicros);
    Candidate candidate = world.index.gates().take(1, world.nowMicros).get(0);
    world.index.gates().rest(candidate, world.nowMicros + 1_000_000);
    assertThat(world.index.gates().take(1, world.nowMicros)).isEmpty();
    assertThat(world.index.mustWait(another, 1_000_000)).isTrue();
    assertThat(world.index.mustWait(apart, 1_000_000)).isFalse();
    world.index.gates().openAll();
    world.index.gates().open(world.nowMicros);
    assertThat(world.index.gates().take(1, world.nowMicros)).hasSize(1);
  }

  @Test
  void instantsOfGatesThatOpenedBeforeDoNotPileUp() {
    World world = new World(TestScale.seed());
    Place place = new Place(1, 0, 0, List.of("vendor"), List.of(7L));
    WaitingEvent event =
        new WaitingEvent(0, 0, 0, 1, Long.MAX_VALUE, new Identity(0, 0, false), false, place);
    world.rows.put(0L, event);
    world.index.add(event, world.nowMicros);
    for (int i = 0; i < 10_000; i++) {
      for (Candidate candidate : world.index.gates().take(1, world.nowMicros))
        world
            .index
            .gates()
            .refused(candidate, List.of(new Refusal(7, Long.MAX_VALUE / 2)), world.nowMicros);
      assertThat(world.index.gates().closed()).isEqualTo(1);
      world.index.gates().openAll();
      world.index.gates().open(world.nowMicros);
      assertThat(world.index.gates().closed()).isZero();
    }
  }
}
