package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Settings of Sluice in a test run, drawn from the seed, so that a few runs cover many
 * combinations.
 *
 * @param exactlyOnce whether processing is exactly once, else at least once
 * @param wallClock whether events are judged by the wall clock, else by their own times
 * @param countsTries whether some limits also count refused events
 * @param withoutRedis policy of limits in Redis while Redis does not answer
 * @param duplicates policy for duplicates
 * @param shapedLog whether the limit in Redis that delays events is a sliding window log, else a
 *     funnel
 * @param standbys whether another instance has a standby of each store
 * @param inputs number of input topics
 * @param streamsProtocol whether the broker assigns stream tasks, else the leader of the group
 * @param onDisk whether the state of limits is in RocksDB, else in memory
 * @param shortTimeouts whether timeouts of Kafka Streams and its clients are shorter than freezes
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

  /** Policy of limits in Redis while Redis does not answer. */
  public enum WithoutRedis {
    WAIT,
    ALLOW,
    REJECT,
    STATE_STORE;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Policy for a duplicate: another record with the id of an admitted event. */
  public enum Duplicates {
    REJECT,
    CHARGE,
    REPEAT;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Permitted lateness of events, in milliseconds. It is longer than a run and its replay, so that
   * no event is so late that the clocks of other keys influence the time by which the event is
   * judged.
   */
  public static final long LATENESS_MS = 3 * 3_600_000;

  /** Application id of the application that runs under faults. */
  public static final String APPLICATION = "guarantees";

  /**
   * Session timeout of the consumer group in milliseconds, short enough for many takeovers in a
   * run.
   */
  public static final int SESSION_MS = 6_000;

  public static final int HEARTBEAT_MS = 1_500;

  /**
   * Settings with timeouts of Kafka Streams and its clients that are shorter than freezes of
   * servers.
   */
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
   * Combined with the seed before the modes are drawn. Chosen so that the four seeds used most (21,
   * and 101 to 103) cover every mode, and 21, which CI uses, has the mode in which all guarantees
   * are complete. A test checks this.
   */
  private static final long SALT = 974_987;

  private static final int ONE_IN = 4;

  /** Returns the modes in which all settings have their defaults. */
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

  /**
   * Whether the same input must give the same verdicts, so that a replay of the input is
   * meaningful.
   */
  public boolean areRepeatable() {
    return exactlyOnce && !wallClock;
  }

  /** Returns a description of all modes in one line. */
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

  /** Returns the settings that all instances share, except the limits and the topics of outputs. */
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

  /** Returns the settings of the Kafka broker that these modes need. */
  public List<String> brokerSettings() {
    return List.of("group.streams.num.standby.replicas=" + (standbys ? 1 : 0));
  }
}
