package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Instance;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.Lives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Instances of Sluice that were ready before a fault, and checks of their health endpoints and
 * metrics during the fault.
 */
final class Healthy {
  private static final Duration MOST_SETTLING = Duration.ofSeconds(30);

  /**
   * Beginnings of the stack traces that the state updater of a stream thread logs if it fails
   * because of the Kafka bug KAFKA-20731: tasks were paused while the thread had standby tasks.
   */
  private static final List<String> PAUSED_STANDBYS =
      List.of(
          "\njava.lang.IllegalStateException: Should not be in standby updating state",
          "\njava.lang.IllegalStateException: The changelog reader is not restoring active tasks (is"
              + " STANDBY_UPDATING)");

  /**
   * Part of the log line of a record that a topic refuses because it takes less than before: the
   * thread that sent it fails once, and then reads the new size.
   */
  private static final String REFUSED = " refused a record of ";

  private static final Duration BETWEEN = Duration.ofMillis(300);
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final List<Instance> instances;
  private final Lives lives;

  private Healthy(List<Instance> instances, Lives lives) {
    this.instances = instances;
    this.lives = lives;
  }

  /**
   * Waits up to 30 s until all running instances are ready, and returns those instances that are.
   */
  static Healthy of(Scene scene) throws InterruptedException {
    List<Instance> running = scene.bed().running();
    boolean unused = await(MOST_SETTLING, () -> ready(running).size() == running.size());
    return new Healthy(ready(running), scene.lives());
  }

  boolean areNone() {
    return instances.isEmpty();
  }

  private interface Look {
    boolean sees() throws InterruptedException;
  }

  private interface Test {
    boolean of(Instance instance) throws InterruptedException;
  }

  /** Returns those of the given instances whose health endpoint says that they are ready now. */
  static List<Instance> ready(List<Instance> running) throws InterruptedException {
    return filter(running, Healthy::isReady);
  }

  private static boolean isReady(Instance instance) throws InterruptedException {
    return instance.health("ready") == OK;
  }

  private static boolean isNotReady(Instance instance) throws InterruptedException {
    return instance.health("ready") == UNAVAILABLE;
  }

  private static boolean isDead(Instance instance) throws InterruptedException {
    return instance.health("live") == UNAVAILABLE;
  }

  private static List<Instance> filter(List<Instance> all, Test test) throws InterruptedException {
    List<Instance> those = new ArrayList<>();
    for (Instance each : all) if (test.of(each)) those.add(each);
    return those;
  }

  private static boolean await(Duration most, Look look) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!look.sees()) {
      if (System.nanoTime() - startNanos > most.toNanos()) return false;
      Waiting.pass(BETWEEN.toMillis());
    }
    return true;
  }

  /**
   * Records a violation for each instance that does not become unready within the given time, or
   * that is not live meanwhile.
   */
  void mustTurnUnready(String meanwhile, Duration most) throws InterruptedException {
    mustTurn(meanwhile, most, "still ready, or does not answer", Healthy::isNotReady);
  }

  /**
   * Records a violation for each instance that does not become ready within the given time, or that
   * is not live meanwhile.
   */
  void mustTurnReady(String meanwhile, Duration most) throws InterruptedException {
    mustTurn(meanwhile, most, "not ready", Healthy::isReady);
  }

  private void mustTurn(String meanwhile, Duration most, String otherwise, Test test)
      throws InterruptedException {
    List<Instance> dead = new ArrayList<>();
    boolean turned =
        await(
            most,
            () -> {
              dead.addAll(filter(instances, Healthy::isDead));
              return filter(instances, test).size() == instances.size();
            });
    for (Instance each : dead.stream().distinct().toList()) broken(each, meanwhile, "not live");
    if (turned) return;
    for (Instance each : instances) {
      if (!test.of(each)) broken(each, meanwhile + " for " + most.toSeconds() + " s", otherwise);
    }
  }

  /**
   * Returns the number of failed stream threads of each instance, without those that failed because
   * of the Kafka bug KAFKA-20731, or because a topic takes less.
   */
  List<Double> failedThreads() throws InterruptedException {
    List<Double> failed = new ArrayList<>();
    for (Instance each : instances) {
      // The log messages are counted first, because a thread logs its message before its failure is
      // counted.
      int excused =
          PAUSED_STANDBYS.stream().mapToInt(each::timesSaid).sum() + each.timesSaid(REFUSED);
      failed.add(each.metric("kafka_stream_failed_stream_threads_total") - excused);
    }
    return failed;
  }

  /**
   * Records a violation for each instance with more failed stream threads than before, except those
   * that {@link #failedThreads} leaves out.
   *
   * @param before result of {@link #failedThreads} before the fault
   */
  void mustHaveLost(List<Double> before, String meanwhile) throws InterruptedException {
    List<Double> after = failedThreads();
    for (int i = 0; i < instances.size(); i++) {
      double more = after.get(i) - before.get(i);
      if (more > 0) broken(instances.get(i), meanwhile, "replacing " + more + " threads");
    }
  }

  /**
   * Waits until a metric of any instance is above 0; returns false if it is 0 at all instances for
   * the given time.
   */
  boolean awaitAny(String metric, Duration most) throws InterruptedException {
    return await(most, () -> !filter(instances, each -> each.metric(metric) > 0).isEmpty());
  }

  private void broken(Instance instance, String meanwhile, String is) {
    lives.broken("%s is %s %s; see %s".formatted(instance, is, meanwhile, instance.log()));
  }
}
