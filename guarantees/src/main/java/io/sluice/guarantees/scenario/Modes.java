package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The settings that a run gives Sluice: those its users can choose, drawn from the seed, so that
 * few runs see many of them.
 *
 * @param exactlyOnce else at least once
 * @param wallClock whether events are judged by the wall clock, else by their own times
 * @param countsTries whether some limits count every try
 * @param shapedLog whether the limit in Redis that delays is a log, else a funnel
 * @param standbys whether another instance keeps a copy of each store
 * @param inputs how many input topics there are
 * @param streamsProtocol whether the broker assigns tasks, else the group's leader
 * @param onDisk whether limiter state is in RocksDB, else in memory
 * @param shortTimeouts whether the clients' and Streams' timeouts are shorter than freezes are
 */
public record Modes(
    boolean exactlyOnce,
    boolean wallClock,
    boolean countsTries,
    WithoutRedis withoutRedis,
    Duplicates duplicates,
    boolean shapedLog,
    boolean standbys,
    int inputs,
    boolean streamsProtocol,
    boolean onDisk,
    boolean shortTimeouts) {

  /** What limits in Redis do while it does not answer. */
  public enum WithoutRedis {
    WAIT,
    ALLOW,
    REJECT,
    STATE_STORE;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What another record gets that has the id of one that was admitted. */
  public enum Duplicates {
    REJECT,
    CHARGE,
    REPEAT;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Longer than any run and what it replays: nothing is so late that another clock than its own and
   * its key's has a say in when it is judged.
   */
  public static final long LATENESS_MS = 3 * 3_600_000;

  /** The name of the application that runs under faults. */
  public static final String APPLICATION = "guarantees";

  /** How long a session is: short, so that a run sees many take-overs. */
  public static final int SESSION_MS = 6_000;

  public static final int HEARTBEAT_MS = 1_500;

  /** Everything that Streams and its clients wait for at most, shorter than servers are frozen. */
  private static final List<String> SHORT_TIMEOUTS =
      List.of(
          "task.timeout.ms=5000",
          "main.consumer.max.poll.interval.ms=9000",
          "request.timeout.ms=3000",
          "default.api.timeout.ms=6000",
          "producer.delivery.timeout.ms=7000",
          "producer.max.block.ms=6000",
          "producer.transaction.timeout.ms=8000");

  /*
   * Chosen so that the four seeds that are run most (21, and 101 to 103) see every mode between them,
   * and 21, which CI runs, sees what all guarantees hold in. A test says so.
   */
  private static final long SALT = 974_987;

  private static final int ONE_IN = 4;

  /** What most people have. */
  public static Modes plain() {
    return new Modes(
        true,
        false,
        false,
        WithoutRedis.WAIT,
        Duplicates.REJECT,
        false,
        false,
        1,
        false,
        false,
        false);
  }

  public static Modes of(long seed) {
    return of(new SplittableRandom(seed ^ SALT));
  }

  private static Modes of(SplittableRandom random) {
    return new Modes(
        random.nextInt(ONE_IN) > 0,
        random.nextInt(ONE_IN) == 0,
        random.nextInt(ONE_IN) == 0,
        WithoutRedis.values()[random.nextInt(WithoutRedis.values().length)],
        random.nextInt(2) == 0 ? Duplicates.REJECT : any(random),
        random.nextBoolean(),
        random.nextBoolean(),
        1 + random.nextInt(2),
        random.nextInt(ONE_IN) == 0,
        random.nextBoolean(),
        random.nextBoolean());
  }

  private static Duplicates any(SplittableRandom random) {
    return Duplicates.values()[random.nextInt(Duplicates.values().length)];
  }

  /** Whether the same input is to come to the same, so that a replay shows something. */
  public boolean areRepeatable() {
    return exactlyOnce && !wallClock;
  }

  /** What the modes are, a line for all of them. */
  @Override
  public String toString() {
    return String.join(
        ", ",
        exactlyOnce ? "exactly once" : "at least once",
        wallClock ? "wall clock" : "event time",
        countsTries ? "some limits count tries" : "allowed events are counted",
        "without Redis: " + withoutRedis.text(),
        "duplicates: " + duplicates.text(),
        "a shaped " + (shapedLog ? "log" : "funnel") + " in Redis",
        standbys ? "standbys" : "no standbys",
        inputs == 1 ? "one input topic" : inputs + " input topics",
        "group protocol " + protocol(),
        "state " + (onDisk ? "in RocksDB" : "in memory"),
        (shortTimeouts ? "short" : "default") + " timeouts");
  }

  private String protocol() {
    return streamsProtocol ? "streams" : "classic";
  }

  /** What every instance is told of them, but for the limits. */
  public List<String> settings() {
    List<String> settings = new ArrayList<>();
    settings.add("processing.guarantee=" + (exactlyOnce ? "exactly_once_v2" : "at_least_once"));
    settings.add("sluice.time=" + (wallClock ? "wall" : "event"));
    settings.add("sluice.time.lateness=" + LATENESS_MS + "ms");
    settings.add("sluice.duplicates=" + duplicates.text());
    settings.add("sluice.topics.input=" + String.join(",", Topics.INPUTS.subList(0, inputs)));
    settings.add("sluice.state.store=" + (onDisk ? "rocksdb" : "memory"));
    settings.add("group.protocol=" + protocol());
    if (!streamsProtocol) {
      settings.add("num.standby.replicas=" + (standbys ? 1 : 0));
      settings.add("consumer.session.timeout.ms=" + SESSION_MS);
      settings.add("consumer.heartbeat.interval.ms=" + HEARTBEAT_MS);
    }
    if (shortTimeouts) settings.addAll(SHORT_TIMEOUTS);
    return settings;
  }

  /** What the broker is told of them. */
  public List<String> brokerSettings() {
    return List.of("group.streams.num.standby.replicas=" + (standbys ? 1 : 0));
  }
}
