package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.EndWatch;
import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.traffic.FaultEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;

/**
 * Causes faults of Redis: kills or freezes it, flushes its scripts, and replaces a key by one of
 * another type.
 */
final class RedisFaults {
  private static final int MOST_GONE_MS = 6_000;
  private static final int SHORTEST_FREEZE_MS = 300;
  private static final int LONGEST_FREEZE_MS = 8_000;

  /**
   * Time for which Redis is gone in a long outage; longer than a stream thread blocks for an answer
   * of Redis.
   */
  private static final Duration LOST = Duration.ofSeconds(7);

  private static final String WAITING = "sluice_redis_events_waiting";
  private static final Duration MOST_UNTOLD = Duration.ofSeconds(5);
  private static final Duration MOST_RECOVERING = Duration.ofSeconds(60);
  private static final Duration MOST_ENDING = Duration.ofSeconds(60);
  private static final int SPOILED = 3;

  private final Scene scene;
  private final SplittableRandom random;
  private int spoiled;

  RedisFaults(Scene scene, SplittableRandom random) {
    this.scene = scene;
    this.random = random;
  }

  Map<FaultKind, Fault> all() {
    return Map.of(
        FaultKind.KILL_REDIS, this::kill,
        FaultKind.FREEZE_REDIS, this::freeze,
        FaultKind.FLUSH_SCRIPTS, this::flushScripts,
        FaultKind.LOSE_REDIS, this::lose,
        FaultKind.SPOIL_KEY, this::spoil);
  }

  private boolean kill() throws InterruptedException {
    int goneMs = random.nextInt(MOST_GONE_MS);
    scene.diary().note("kill Redis, start it after " + goneMs + " ms");
    scene.bed().redis().kill();
    Waiting.pass(goneMs);
    scene.bed().redis().start();
    return true;
  }

  private boolean freeze() throws InterruptedException {
    int frozenMs = random.nextInt(SHORTEST_FREEZE_MS, LONGEST_FREEZE_MS);
    scene.diary().note("freeze Redis for " + frozenMs + " ms");
    scene.bed().redis().pause();
    Waiting.pass(frozenMs);
    scene.bed().redis().resume();
    return true;
  }

  private Jedis connect() {
    return new Jedis("127.0.0.1", scene.bed().redis().port());
  }

  private boolean flushScripts() {
    scene.diary().note("flush the scripts of Redis");
    try (Jedis redis = connect()) {
      redis.scriptFlush();
    }
    return true;
  }

  /**
   * Kills Redis while events arrive that have limits both in the state store and in Redis. No
   * stream thread may fail, and with {@code redis.unavailable=wait} the metric of waiting events
   * must be above 0.
   */
  private boolean lose() throws InterruptedException {
    Healthy healthy = Healthy.of(scene);
    if (healthy.areNone()) return false;
    scene.diary().note("kill Redis while events come that limits on both backends are for");
    List<Double> failed = healthy.failedThreads();
    long killedNanos = System.nanoTime();
    scene.bed().redis().kill();
    List<Described> both = scene.publisher().publish(FaultEvents::onBoth);
    boolean waits = scene.modes().withoutRedis() == Modes.WithoutRedis.WAIT;
    if (waits && !healthy.awaitAny(WAITING, MOST_UNTOLD)) {
      scene.lives().broken(WAITING + " is 0 without Redis at each instance");
    }
    Waiting.pass(Math.max(0, LOST.toMillis() - (System.nanoTime() - killedNanos) / 1_000_000));
    healthy.mustHaveLost(failed, "without Redis");
    scene.bed().redis().start();
    healthy.mustTurnReady("with Redis back", MOST_RECOVERING);
    return !both.isEmpty();
  }

  /**
   * Replaces the Redis key of one user under one limit by a key of another type, until events of
   * this user and of another user have ended. The suite does not know the names of keys: it takes
   * the names of a third user's keys, and replaces the user's name in them.
   */
  private boolean spoil() throws InterruptedException {
    Limit limit = Limits.anyOf(true, random);
    int number = ++spoiled;
    String model = "model" + number + "x";
    String victim = "victim" + number + "x";
    String other = "other" + number + "x";
    scene.diary().note("a key of " + limit.name() + " in Redis is of another type for a while");
    try (Jedis redis = connect();
        EndWatch ends = new EndWatch(scene.brokers())) {
      List<Described> first = publish(limit, model, 1, Described.Kind.EVENT);
      boolean ended = ends.await(first, MOST_ENDING);
      List<String> keys = new ArrayList<>();
      for (String key : redis.keys("*" + model + "*")) {
        if (key.contains(":" + limit.name() + ":")) keys.add(key.replace(model, victim));
      }
      for (String key : keys)
        redis.xadd(key, StreamEntryID.NEW_ENTRY, Map.of("of", "another type"));
      List<Described> hit = publish(limit, victim, SPOILED, Described.Kind.EITHER);
      List<Described> passing = publish(limit, other, 1, Described.Kind.EVENT);
      ended &= !keys.isEmpty() && ends.await(hit, MOST_ENDING) && ends.await(passing, MOST_ENDING);
      for (String key : keys) {
        ended &= redis.type(key).equals("stream");
        redis.del(key);
      }
      publish(limit, victim, 1, Described.Kind.EVENT);
      if (ended) {
        for (Described each : hit) {
          scene.faults().mustEnd(each.number(), FaultLog.Ending.UNREADABLE_COUNT);
        }
      } else {
        scene.diary().note("keys " + keys + " are not there, or not all events ended");
      }
      return ended;
    }
  }

  private List<Described> publish(Limit limit, String user, int count, Described.Kind kind)
      throws InterruptedException {
    return scene.publisher().publish((events, nowMs) -> events.of(limit, user, count, kind, nowMs));
  }
}
