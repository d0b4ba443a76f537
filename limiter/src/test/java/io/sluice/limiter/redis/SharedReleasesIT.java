package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ReleaseAnswer.Behind;
import io.sluice.limiter.redis.ReleaseAnswer.Decided;
import io.sluice.limiter.redis.Releases.Head;
import io.sluice.limiter.redis.Releases.Waits;
import io.sluice.testing.TestScale;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Six queues that share one limit, in virtual time: each asks once in a tick of 100 ms. */
class SharedReleasesIT {
  private static final long NOW = 1_800_000_000_000_000L;
  private static final long TICK = 100_000;
  private static final int QUEUES = 6;

  private static final Rule EVEN =
      Rule.policing("even", new Quota(20, 1_000_000, 1), Algorithm.GCRA);

  private static RedisTestServer redis;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  /** Times at which the queues ask. */
  enum Phases {
    EVEN,
    SAME,
    RANDOM,
    UNPUNCTUAL;

    long first(int queue, SplittableRandom random) {
      return switch (this) {
        case EVEN -> queue * TICK / QUEUES;
        case SAME -> 0;
        case RANDOM, UNPUNCTUAL -> random.nextLong(TICK);
      };
    }

    /** Returns the time to the next question: late by up to 4 ms, and the next one early. */
    long next(long nowMicros, long firstMicros, SplittableRandom random) {
      long ticks = (nowMicros - firstMicros + TICK / 2) / TICK + 1;
      return firstMicros + ticks * TICK + (this == UNPUNCTUAL ? random.nextLong(4_000) : 0);
    }
  }

  private record Event(String id, int rank, long sinceMicros) {}

  private record Released(Event event, int queue, long atMicros) {}

  /** Queue of one partition, with one line for each class and one gate. */
  private static final class Partition {
    private final int number;
    private final QueueOwner owner;
    private final List<Deque<Event>> lines = List.of(new ArrayDeque<>(), new ArrayDeque<>());
    private final long firstMicros;
    private long askMicros;
    private long lastMicros;
    private final long[] opensMicros = new long[2];
    private long numbers;

    Partition(int number, QueueOwner owner, long firstMicros) {
      this.number = number;
      this.owner = owner;
      this.firstMicros = firstMicros;
      askMicros = firstMicros;
      lastMicros = firstMicros - TICK;
    }

    /** Asks the heads, as many as the quota yields in a tick and one more. */
    List<Released> ask(RedisMeter meter, Bucket bucket, int most) {
      long now = askMicros;
      List<Released> released = new ArrayList<>();
      List<Event> events =
          lines.stream()
              .flatMap(Deque::stream)
              .filter(each -> isOpen(each.rank, now))
              .limit(most)
              .toList();
      if (!events.isEmpty()) {
        List<ReleaseAnswer> answers =
            meter.release(new Releases(owner, numbers, numbers + 1, heads(events, bucket, now)));
        numbers += events.size();
        for (int i = 0; i < answers.size(); i++) take(answers.get(i), events.get(i), released);
      }
      lastMicros = now;
      return released;
    }

    /** Whether no head of the class, or of a higher one, waits for an opening. */
    private boolean isOpen(int rank, long now) {
      return Arrays.stream(opensMicros, 0, rank + 1).allMatch(opens -> now >= opens);
    }

    private List<Head> heads(List<Event> events, Bucket bucket, long now) {
      List<Head> heads = new ArrayList<>();
      for (Event each : events) {
        long from = Math.min(lastMicros, now - TICK);
        Arrival release = Arrival.release(Identity.ofRecord(each.id), 1, from, now);
        Request request = Request.of(release, List.of(bucket));
        heads.add(new Head(request, each.rank, each.sinceMicros, List.of(Waits.SHARED)));
      }
      return heads;
    }

    private void take(ReleaseAnswer answer, Event event, List<Released> released) {
      if (answer instanceof Behind behind) opensMicros[event.rank] = behind.untilMicros();
      if (!(answer instanceof Decided decided)) return;
      if (decided.outcome().admitted()) {
        lines.get(event.rank).remove(event);
        released.add(new Released(event, number, askMicros));
      } else {
        opensMicros[event.rank] = opens(decided.outcome());
      }
    }

    private static long opens(Outcome outcome) {
      Judgement judgement = outcome.judgements().get(0);
      Decision.NonConforming refused = (Decision.NonConforming) judgement.decision();
      return judgement.nowMicros() + refused.retryAfterMicros();
    }
  }

  /** Partitions that ask in turn. */
  private static final class Simulation {
    private final SplittableRandom random;
    private final Phases phases;
    private final List<Partition> partitions = new ArrayList<>();
    private final List<Released> released = new ArrayList<>();
    private final Bucket bucket;
    private final int most;

    Simulation(RedisMeter meter, Rule rule, Phases phases, long seed) {
      random = new SplittableRandom(seed);
      this.phases = phases;
      bucket = new Bucket(rule, "all");
      most = (int) (rule.quota().permits() * TICK / rule.quota().periodMicros()) + 1;
      for (int i = 0; i < QUEUES; i++) {
        QueueOwner owner = meter.takeOver(rule.name() + "-" + phases + i, NOW);
        partitions.add(new Partition(i, owner, NOW + phases.first(i, random)));
      }
    }

    void add(int queue, int rank, long sinceMicros) {
      Partition partition = partitions.get(queue);
      Deque<Event> line = partition.lines.get(rank);
      line.add(new Event(queue + "/" + rank + "/" + random.nextLong(), rank, sinceMicros));
    }

    void run(RedisMeter meter, long untilMicros) {
      PriorityQueue<Partition> next =
          new PriorityQueue<>(Comparator.comparingLong(each -> each.askMicros));
      next.addAll(partitions);
      while (next.element().askMicros < untilMicros) {
        Partition partition = next.remove();
        released.addAll(partition.ask(meter, bucket, most));
        partition.askMicros = phases.next(partition.askMicros, partition.firstMicros, random);
        next.add(partition);
      }
    }

    long[] shares() {
      long[] shares = new long[QUEUES];
      for (Released each : released) shares[each.queue]++;
      return shares;
    }
  }

  static Stream<Arguments> cases() {
    Rule bursts = Rule.policing("bursts", new Quota(20, 1_000_000, 20), Algorithm.GCRA);
    Rule fast = Rule.policing("fast", new Quota(200, 1_000_000, 1), Algorithm.GCRA);
    Rule slow = Rule.policing("slow", new Quota(3, 1_000_000, 1), Algorithm.GCRA);
    Rule log = Rule.policing("log", new Quota(20, 1_000_000, 20), Algorithm.SLIDING_WINDOW_LOG);
    return Stream.of(EVEN, bursts, fast, slow, log)
        .flatMap(rule -> Stream.of(Phases.values()).map(phases -> Arguments.of(rule, phases)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cases")
  void sixQueuesUseTheRateAndGetTheirShares(Rule rule, Phases phases) {
    long seed = TestScale.seed();
    long seconds = 10;
    redis.client.flushAll();
    try (RedisMeter meter = new RedisMeter(redis.settings("share"))) {
      Simulation simulation = new Simulation(meter, rule, phases, seed);
      long perSecond = rule.quota().permits() * 1_000_000 / rule.quota().periodMicros();
      long waiting = perSecond * (seconds + 10) + 200;
      for (long i = 0; i < waiting; i++) {
        simulation.add((int) (i % QUEUES), 0, NOW - 3_600_000_000L + i * 1_000_000);
      }
      simulation.run(meter, NOW + seconds * 1_000_000);
      long most = perSecond * seconds;
      long[] shares = simulation.shares();
      assertThat((double) simulation.released.size())
          .as("seed %d", seed)
          .isBetween(0.98 * most, most + rule.quota().burst() + 0.1 * perSecond + 1.0);
      for (long share : shares) {
        double mean = (double) simulation.released.size() / QUEUES;
        assertThat(share / mean).as("seed %d", seed).isBetween(0.6, 1.6);
      }
    }
  }

  /** Six full queues of the lower class, and a higher class of which one event waits at a time. */
  @ParameterizedTest(name = "{0}")
  @EnumSource
  void theHigherClassWaitsForOneIntervalAndTwoTicks(Phases phases) {
    long seed = TestScale.seed();
    redis.client.flushAll();
    try (RedisMeter meter = new RedisMeter(redis.settings("priority"))) {
      Simulation simulation = new Simulation(meter, EVEN, phases, seed);
      for (int i = 0; i < 600; i++) simulation.add(i % QUEUES, 1, NOW - 3_600_000_000L + i);
      long now = NOW;
      while (now < NOW + 15_000_000) {
        simulation.run(meter, now);
        simulation.add(simulation.random.nextInt(QUEUES), 0, now);
        now += 260_000 + simulation.random.nextLong(200_000);
      }
      simulation.run(meter, now);
      List<Released> high =
          simulation.released.stream().filter(each -> each.event.rank == 0).toList();
      assertThat(high).as("seed %d", seed).hasSizeGreaterThan(30);
      for (Released each : high) {
        assertThat(each.atMicros - each.event.sinceMicros)
            .as("seed %d, %s", seed, each)
            .isLessThanOrEqualTo(50_000 + 2 * TICK);
      }
      double rate = simulation.released.size() * 1_000_000.0 / (now - NOW);
      assertThat(rate).as("seed %d", seed).isBetween(0.98 * 20, 1.02 * 20);
    }
  }

  @Test
  void aQueueWhoseInstanceEndsStopsTheOthersForTwoSecondsAtMost() {
    long seed = TestScale.seed();
    redis.client.flushAll();
    try (RedisMeter meter = new RedisMeter(redis.settings("ends"))) {
      Simulation simulation = new Simulation(meter, EVEN, Phases.RANDOM, seed);
      for (int i = 0; i < 900; i++) simulation.add(i % QUEUES, 0, NOW - 3_600_000_000L + i);
      simulation.run(meter, NOW + 5_000_000);
      simulation.partitions.remove(0);
      simulation.run(meter, NOW + 15_000_000);
      List<Long> times = simulation.released.stream().map(Released::atMicros).toList();
      long longest = 0;
      for (int i = 1; i < times.size(); i++) {
        longest = Math.max(longest, times.get(i) - times.get(i - 1));
      }
      assertThat(longest).as("seed %d", seed).isLessThan(2_000_000 + 3 * TICK);
      assertThat(simulation.released).as("seed %d", seed).hasSizeGreaterThan(20 * 13 - 8);
    }
  }
}
