package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Outages;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.EndWatch;
import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.traffic.FaultEvents;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/**
 * Causes faults of the Kafka broker and its topics: kills or freezes the broker, and lets a topic
 * accept only smaller records for a while.
 */
final class BrokerFaults {
  private static final int MOST_GONE_MS = 6_000;

  private static final int SHORTEST_FREEZE_MS = 300;

  /**
   * Maximum time for which the broker is frozen; longer than the timeouts of Kafka clients in runs
   * with short timeouts.
   */
  private static final int LONGEST_FREEZE_MS = 16_000;

  /**
   * Minimum time of a freeze that outlasts timeouts; longer than a group session and all short
   * timeouts in {@link Modes}.
   */
  private static final int SHORTEST_OUTLASTING_MS = 10_000;

  /**
   * Maximum time until instances without a broker must be unready; longer than the 12 s that the
   * manual promises.
   */
  private static final Duration MOST_UNNOTICED = Duration.ofSeconds(40);

  private static final Duration MOST_RECOVERING = Duration.ofSeconds(90);

  /**
   * Base of the max.message.bytes of a shrunk topic; the number of the fault is added, so that each
   * size is unique.
   */
  private static final int SMALL_BYTES = 100_000;

  /** Time to wait until the broker has applied changed settings of a topic, in milliseconds. */
  private static final int APPLIED_MS = 500;

  private static final Duration MOST_ENDING = Duration.ofSeconds(60);

  /**
   * Maximum time until instances must allow larger events again after the topic's size is restored.
   * Instances read the topic's settings again when an event does not fit, at most every ten
   * seconds.
   */
  private static final Duration MOST_BELIEVED = Duration.ofSeconds(60);

  private static final Duration BETWEEN_PROBES = Duration.ofSeconds(2);

  private final Scene scene;
  private final SplittableRandom random;
  private int shrunk;

  BrokerFaults(Scene scene, SplittableRandom random) {
    this.scene = scene;
    this.random = random;
  }

  Map<FaultKind, Fault> all() {
    return Map.of(
        FaultKind.KILL_BROKER, this::kill,
        FaultKind.FREEZE_BROKER,
            () -> freeze(random.nextInt(SHORTEST_FREEZE_MS, LONGEST_FREEZE_MS)),
        FaultKind.OUTLAST, this::outlast,
        FaultKind.LOSE_BROKER, this::lose,
        FaultKind.SHRINK_TOPIC, this::shrink);
  }

  private boolean kill() throws InterruptedException {
    int goneMs = random.nextInt(MOST_GONE_MS);
    scene.diary().note("kill the broker, start it after " + goneMs + " ms");
    without("the run killed the broker", () -> Waiting.pass(goneMs));
    return true;
  }

  private void without(String why, Outages.Meanwhile meanwhile) throws InterruptedException {
    missing(
        why,
        () -> {
          scene.bed().broker().kill();
          meanwhile.happens();
          scene.bed().broker().start();
        });
  }

  private void missing(String why, Outages.Meanwhile meanwhile) throws InterruptedException {
    long fromMs = System.currentTimeMillis();
    scene.bed().outages().during(why, meanwhile);
    scene.bed().notes().revisions().brokerGone(fromMs, System.currentTimeMillis());
  }

  private boolean outlast() throws InterruptedException {
    return freeze(random.nextInt(SHORTEST_OUTLASTING_MS, LONGEST_FREEZE_MS));
  }

  private boolean freeze(int frozenMs) throws InterruptedException {
    scene.diary().note("freeze the broker for " + frozenMs + " ms");
    missing(
        "the run froze the broker",
        () -> {
          scene.bed().broker().freeze();
          Waiting.pass(frozenMs);
          scene.bed().broker().thaw();
        });
    return true;
  }

  /**
   * Kills the broker for longer than any group session. Instances must become unready, stay live,
   * and become ready again afterwards.
   */
  private boolean lose() throws InterruptedException {
    Healthy healthy = Healthy.of(scene);
    if (healthy.areNone()) return false;
    scene.diary().note("kill the broker, start it when no instance is ready");
    long killedNanos = System.nanoTime();
    without(
        "the run took the broker away",
        () -> {
          healthy.mustTurnUnready("without a broker", MOST_UNNOTICED);
          long goneMs = Duration.ofNanos(System.nanoTime() - killedNanos).toMillis();
          Waiting.pass(Math.max(0, 2 * Modes.SESSION_MS - goneMs));
        });
    healthy.mustTurnReady("with the broker back", MOST_RECOVERING);
    return true;
  }

  /**
   * Makes the topic of allowed events accept only smaller records for a while. Events that are too
   * large must become dead letters meanwhile, and must be allowed again by each instance
   * afterwards.
   */
  private boolean shrink() throws InterruptedException {
    int bytes = SMALL_BYTES + ++shrunk;
    scene.diary().note(Topics.FIRST.allowed() + " takes " + bytes + " bytes for a while");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", scene.brokers()));
        EndWatch ends = new EndWatch(scene.brokers())) {
      List<Described> before = scene.publisher().publish(FaultEvents::outgrownLater);
      long fromMs = System.currentTimeMillis();
      Topics.shrink(admin, bytes);
      Waiting.pass(APPLIED_MS);
      List<Described> meanwhile = scene.publisher().publish(FaultEvents::outgrown);
      boolean ended = ends.await(meanwhile, MOST_ENDING) && ends.await(before, MOST_ENDING);
      Topics.restore(admin);
      scene.faults().shrunk(bytes, fromMs, System.currentTimeMillis());
      for (Described each : meanwhile) {
        if (ended) scene.faults().mustEnd(each.number(), FaultLog.Ending.TOO_LARGE);
      }
      mustTakeAgain(ends);
      if (!ended) scene.diary().note("events that are too large did not end");
      return ended;
    }
  }

  private void mustTakeAgain(EndWatch ends) throws InterruptedException {
    Set<Integer> partitions =
        IntStream.range(0, Topics.PARTITIONS)
            .boxed()
            .collect(Collectors.toCollection(TreeSet::new));
    long startNanos = System.nanoTime();
    while (!partitions.isEmpty()) {
      boolean late = System.nanoTime() - startNanos > MOST_BELIEVED.toNanos();
      List<Integer> asked = List.copyOf(partitions);
      List<Described> probes =
          scene.publisher().publish((events, nowMs) -> events.outgrownOn(asked, nowMs));
      boolean ended = ends.await(probes, late ? MOST_ENDING : BETWEEN_PROBES);
      for (int i = 0; i < asked.size(); i++) {
        if (ends.isAllowed(probes.get(i))) partitions.remove(asked.get(i));
      }
      if (late && !partitions.isEmpty()) {
        String topic = Topics.FIRST.allowed();
        // If events have not ended, instances only lag behind: they have not refused the events.
        if (ended) refuses(topic, partitions);
        else scene.diary().note("instances are behind: large events for " + topic + " did not end");
        return;
      }
      Waiting.pass(APPLIED_MS);
    }
  }

  private void refuses(String topic, Set<Integer> partitions) {
    scene
        .lives()
        .broken(
            "%s takes larger events again since %d s, and those on the partitions %s are not allowed"
                .formatted(topic, MOST_BELIEVED.toSeconds(), partitions));
  }
}
