package io.sluice.guarantees.bed;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.guarantees.evidence.Notes;
import io.sluice.guarantees.scenario.CancelRequest;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Servers and Sluice instances of a test run: the broker, Redis and each instance have a process of
 * their own. Redis runs with appendfsync=always, so that all data it has acknowledged survives a
 * kill; loss of data in Redis is not part of the suite.
 */
public final class Bed implements AutoCloseable {
  private static final int INSTANCES = 3;
  private static final int FIRST_UP = 2;
  private static final int THREADS = 2;
  private static final int THREADS_AGAIN = 3;
  private static final Duration MOST_STARTING = Duration.ofMinutes(3);

  private final Path folder;
  private final Path launcher;
  private final Modes modes;
  private final BrokerProcess broker;
  private final EmbeddedRedis redis;
  private final Registry registry;
  private final Notes notes;
  private final Outages outages = new Outages();
  private final List<Instance> instances = new ArrayList<>();

  private Bed(Path folder, Path launcher, Modes modes) throws IOException {
    this.folder = folder;
    this.launcher = launcher;
    this.modes = modes;
    notes = Notes.in(folder);
    registry = new Registry();
    broker = new BrokerProcess(folder, modes.brokerSettings());
    redis =
        EmbeddedRedis.builder()
            .data(folder.resolve("redis"))
            .arguments("--appendonly", "yes", "--appendfsync", "always")
            .start();
  }

  /** Starts the broker and two instances, and returns when the instances are ready. */
  public static Bed start(Path folder, Path launcher, Modes modes)
      throws IOException, InterruptedException {
    Bed bed = new Bed(folder, launcher, modes);
    try {
      bed.broker.start();
      Topics.create(bed.broker.bootstrapServers());
      bed.startInstances();
      return bed;
    } catch (RuntimeException | InterruptedException e) {
      bed.close();
      throw e;
    }
  }

  private void startInstances() throws InterruptedException {
    List<String> settings = settings(new Limits(modes).settings(), Modes.APPLICATION, Topics.FIRST);
    for (int i = 1; i <= INSTANCES; i++) add("instance-" + i, settings, THREADS);
    for (Instance each : instances.subList(0, FIRST_UP)) each.start();
    for (Instance each : instances.subList(0, FIRST_UP)) awaitReady(each);
  }

  private static void awaitReady(Instance instance) throws InterruptedException {
    Waiting.until(instance + " is ready; see " + instance.log(), MOST_STARTING, instance::isReady);
  }

  private Instance add(String name, List<String> settings, int threads) {
    Instance added =
        new Instance(name, launcher, folder, settings, threads, notes.lives(), outages);
    instances.add(added);
    return added;
  }

  /**
   * Starts an instance of a second application for the replay, which reads the same input and
   * shares no state with the first application.
   */
  public void startAgain() throws InterruptedException {
    List<String> settings =
        settings(new Limits(modes).settingsOfReplay(), Modes.APPLICATION + "-again", Topics.AGAIN);
    settings.add("sluice.topics.limits=" + Topics.LIMITS);
    Instance again = add("again", settings, THREADS_AGAIN);
    again.start();
    awaitReady(again);
  }

  private List<String> settings(List<String> limits, String application, Topics.Outputs outputs) {
    List<String> settings = new ArrayList<>(limits);
    settings.addAll(modes.settings());
    settings.addAll(outputs.settings());
    settings.add("application.id=" + application);
    settings.add("bootstrap.servers=" + broker.bootstrapServers());
    settings.add("sluice.schemas.url=" + registry.url());
    settings.add("sluice.redis.uri=" + redis.uri());
    settings.add("sluice.redis.key.prefix=" + application);
    // Redis keys outlive a run: a partition may be without an instance for many minutes.
    settings.add("sluice.redis.expiry.grace=3h");
    return settings;
  }

  /**
   * Cancels events that wait in line, by the command line.
   *
   * @param published is called as soon as the broker has the order
   */
  public void cancel(CancelRequest order, Runnable published) throws InterruptedException {
    new CancelTool(launcher, instances.get(0).settings()).cancel(order, published);
  }

  public BrokerProcess broker() {
    return broker;
  }

  public EmbeddedRedis redis() {
    return redis;
  }

  public Registry registry() {
    return registry;
  }

  public Notes notes() {
    return notes;
  }

  /** Returns the periods in which a server was down that an instance needs to start. */
  public Outages outages() {
    return outages;
  }

  public List<Instance> instances() {
    return instances;
  }

  public List<Instance> running() {
    return instances.stream().filter(Instance::isWanted).toList();
  }

  /** Restarts instances that have ended by themselves, and records these failures. */
  public void tend() {
    instances.forEach(Instance::tend);
  }

  /**
   * Stops all instances with SIGTERM. Records a failure for each instance that has not replaced its
   * failed stream threads before.
   */
  public void stopInstances() throws InterruptedException {
    for (Instance each : instances) each.requireWhole();
    for (Instance each : instances) each.stop();
  }

  @Override
  public void close() {
    for (Instance each : running()) each.kill();
    registry.close();
    redis.close();
    broker.close();
  }
}
