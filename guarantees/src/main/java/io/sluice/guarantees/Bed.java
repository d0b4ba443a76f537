package io.sluice.guarantees;

import io.sluice.embedded.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers and the instances of a run, each a process of its own. Redis is told to write down
 * what it does before it answers (appendfsync always): what it has answered survives its death, as
 * in the place of somebody who means it. What it does when it forgets is another question.
 */
final class Bed implements AutoCloseable {
  private static final int INSTANCES = 3;
  private static final int FIRST_UP = 2;
  private static final Duration MOST_STARTING = Duration.ofMinutes(3);

  private final BrokerProcess broker;
  private final EmbeddedRedis redis;
  private final List<Instance> instances = new ArrayList<>();

  private Bed(BrokerProcess broker, EmbeddedRedis redis) {
    this.broker = broker;
    this.redis = redis;
  }

  /** Starts everything, and returns when events are metered. */
  static Bed start(Path folder, Path launcher, List<String> settings)
      throws IOException, InterruptedException {
    BrokerProcess broker = new BrokerProcess(folder);
    EmbeddedRedis redis =
        EmbeddedRedis.builder()
            .data(folder.resolve("redis"))
            .arguments("--appendonly", "yes", "--appendfsync", "always")
            .start();
    Bed bed = new Bed(broker, redis);
    try {
      broker.start();
      Topics.create(broker.bootstrapServers());
      bed.startInstances(folder, launcher, settings);
      return bed;
    } catch (RuntimeException | InterruptedException e) {
      bed.close();
      throw e;
    }
  }

  private void startInstances(Path folder, Path launcher, List<String> settings)
      throws InterruptedException {
    List<String> all = new ArrayList<>(settings);
    all.add("bootstrap.servers=" + broker.bootstrapServers());
    all.add("sluice.redis.uri=" + redis.uri());
    for (int i = 1; i <= INSTANCES; i++) {
      instances.add(new Instance("instance-" + i, launcher, folder, all));
    }
    for (Instance each : instances.subList(0, FIRST_UP)) each.start();
    for (Instance each : instances.subList(0, FIRST_UP)) {
      Waiting.until(each + " is ready; see " + each.log(), MOST_STARTING, each::isReady);
    }
  }

  BrokerProcess broker() {
    return broker;
  }

  EmbeddedRedis redis() {
    return redis;
  }

  List<Instance> instances() {
    return instances;
  }

  List<Instance> running() {
    return instances.stream().filter(Instance::isWanted).toList();
  }

  /** Starts again what has ended by itself. */
  void tend() {
    instances.forEach(Instance::tend);
  }

  /** Tells all instances to end, as before an upgrade. */
  void stopInstances() throws InterruptedException {
    for (Instance each : instances) each.stop();
  }

  @Override
  public void close() {
    for (Instance each : running()) each.kill();
    redis.close();
    if (broker.process() != null) broker.process().kill();
  }
}
