package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Identity;
import io.sluice.testing.TestScale;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

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
    final QueueIndex index = new QueueIndex(number -> Optional.ofNullable(rows.get(number)));
    long nowMicros = 1_000_000_000;
    long nextNumber;
    long asked;
    long arrived;
    long released;
    long refused;

    World(long seed) {
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
      int rank = random.nextInt(3) == 0 ? 0 : 1;
      own(user);
      List<Long> of = random.nextInt(10) == 0 ? List.of(user) : List.of(shared, user);
      Place place = new Place(user * 1_000 + of.get(0) * 2 + rank, rank, List.of("limit"), of);
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
      if (later > 0 || index.mustWait(place)) {
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
        if (other.number() >= event.number() || other.place().rank() > event.place().rank())
          continue;
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
      index.open(nowMicros);
      int most = 1 + random.nextInt(4);
      List<Line> lines = index.take(most, nowMicros);
      while (!lines.isEmpty()) {
        for (Line line : lines) {
          WaitingEvent head = rows.get(line.head());
          List<Refusal> refusals = ask(head);
          if (refusals.isEmpty()) {
            rows.remove(head.number());
            if (most == 1) leaves(head);
            else released++;
            index.left(line, head, nowMicros);
          } else {
            index.refused(line, refusals, nowMicros);
          }
        }
        lines = index.take(most, nowMicros);
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
                .filter(other -> other.place().rank() <= head.place().rank())
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

  @Test
  void randomEventsLeaveByTheRules() {
    long seed = TestScale.seed();
    for (int round = 0; round < TestScale.of(60, 5_000); round++) {
      World world = new World(seed + round);
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

  @Test
  void anOpeningCostsOneQuestionInVain() {
    World world = new World(TestScale.seed());
    Bucket vendor = new Bucket(7, 70_000, 1);
    world.buckets.put(vendor.id, vendor);
    for (int i = 0; i < 200; i++) {
      Place place = new Place(1_000 + i, 0, List.of("vendor"), List.of(vendor.id));
      WaitingEvent event =
          new WaitingEvent(i, 0, 0, 1, Long.MAX_VALUE, new Identity(i, 0, false), false, place);
      world.rows.put(event.number(), event);
      world.index.add(event, world.nowMicros);
    }
    for (int i = 0; i < 2_000 && world.index.size() > 0; i++) {
      world.nowMicros += TICK_MICROS / 10;
      world.index.open(world.nowMicros);
      for (Line line : world.index.take(1, world.nowMicros)) {
        WaitingEvent head = world.rows.get(line.head());
        List<Refusal> refusals = world.ask(head);
        if (refusals.isEmpty()) {
          world.released++;
          world.rows.remove(head.number());
          world.index.left(line, head, world.nowMicros);
        } else {
          world.index.refused(line, refusals, world.nowMicros);
        }
      }
    }
    assertThat(world.released).isEqualTo(200);
    assertThat(world.refused).isLessThanOrEqualTo(200);
  }

  @Test
  void newEventsWaitBehindHeadsThatRest() {
    World world = new World(TestScale.seed());
    Place place = new Place(1, 0, List.of("vendor"), List.of(7L));
    Place another = new Place(2, 0, List.of("vendor"), List.of(7L));
    Place apart = new Place(3, 0, List.of("vendor"), List.of(8L));
    WaitingEvent event =
        new WaitingEvent(0, 0, 0, 1, Long.MAX_VALUE, new Identity(0, 0, false), true, place);
    world.rows.put(0L, event);
    world.index.add(event, world.nowMicros);
    Line line = world.index.take(1, world.nowMicros).get(0);
    world.index.rest(line, world.nowMicros + 1_000_000);
    assertThat(world.index.take(1, world.nowMicros)).isEmpty();
    assertThat(world.index.mustWait(another)).isTrue();
    assertThat(world.index.mustWait(apart)).isFalse();
    world.index.openAll();
    world.index.open(world.nowMicros);
    assertThat(world.index.take(1, world.nowMicros)).containsExactly(line);
  }

  @Test
  void instantsOfGatesThatOpenedBeforeDoNotPileUp() {
    World world = new World(TestScale.seed());
    Place place = new Place(1, 0, List.of("vendor"), List.of(7L));
    WaitingEvent event =
        new WaitingEvent(0, 0, 0, 1, Long.MAX_VALUE, new Identity(0, 0, false), false, place);
    world.rows.put(0L, event);
    world.index.add(event, world.nowMicros);
    for (int i = 0; i < 10_000; i++) {
      for (Line line : world.index.take(1, world.nowMicros))
        world.index.refused(line, List.of(new Refusal(7, Long.MAX_VALUE / 2)), world.nowMicros);
      world.index.openAll();
      world.index.open(world.nowMicros);
    }
    assertThat(world.index.openings()).isLessThan(2_000);
  }
}
