package io.sluice.guarantees.fault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.guarantees.bed.Bed;
import io.sluice.guarantees.bed.Outages;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.traffic.Publisher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Faults of the servers: death, a freeze, a failing registry, and records that are hard to take.
 */
final class ServerFaults {
  private static final int MOST_GONE_MS = 6_000;
  private static final int LONGEST_REDIS_FREEZE_MS = 8_000;

  /** Longer than clients wait for their requests and transactions, if that is short. */
  private static final int LONGEST_BROKER_FREEZE_MS = 16_000;

  private static final int MOST_FAILING_MS = 6_000;
  private static final int MOST_LARGE = 4;
  private static final int MOST_BACK_MS = 30_000;
  private static final int MOST_AHEAD_MS = 4_000;
  private static final int LONGEST_STEP_MS = 3_000;
  private static final int MOST_POISON = 50;

  private final Bed bed;
  private final Publisher publisher;
  private final SplittableRandom random;
  private final Diary diary;

  ServerFaults(Bed bed, Publisher publisher, SplittableRandom random, Diary diary) {
    this.bed = bed;
    this.publisher = publisher;
    this.random = random;
    this.diary = diary;
  }

  List<Fault> all() {
    return List.of(
        this::killRedis,
        this::freezeRedis,
        this::flushScripts,
        this::killBroker,
        this::freezeBroker,
        this::failRegistry,
        this::stepClock,
        this::poison,
        this::large);
  }

  private void killRedis() throws InterruptedException {
    int goneMs = random.nextInt(MOST_GONE_MS);
    diary.note("kill Redis, start it after " + goneMs + " ms");
    bed.redis().kill();
    Waiting.pass(goneMs);
    bed.redis().start();
  }

  private void freezeRedis() throws InterruptedException {
    int frozenMs = random.nextInt(LONGEST_REDIS_FREEZE_MS);
    diary.note("freeze Redis for " + frozenMs + " ms");
    bed.redis().pause();
    Waiting.pass(frozenMs);
    bed.redis().resume();
  }

  private void flushScripts() {
    diary.note("flush the scripts of Redis");
    try (Socket redis = new Socket(InetAddress.getLoopbackAddress(), bed.redis().port())) {
      redis.getOutputStream().write("SCRIPT FLUSH\r\n".getBytes(US_ASCII));
      byte[] answer = redis.getInputStream().readNBytes("+OK".length());
      if (answer[0] != '+') throw new IllegalStateException(new String(answer, US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException("Redis does not take SCRIPT FLUSH", e);
    }
  }

  private void killBroker() throws InterruptedException {
    int goneMs = random.nextInt(MOST_GONE_MS);
    diary.note("kill the broker, start it after " + goneMs + " ms");
    withoutBroker(
        "the run killed the broker",
        () -> {
          bed.broker().kill();
          Waiting.pass(goneMs);
          bed.broker().start();
        });
  }

  private void withoutBroker(String why, Outages.Meanwhile meanwhile) throws InterruptedException {
    long fromMs = System.currentTimeMillis();
    bed.outages().during(why, meanwhile);
    bed.revisions().brokerGone(fromMs, System.currentTimeMillis());
  }

  private void freezeBroker() throws InterruptedException {
    int frozenMs = random.nextInt(LONGEST_BROKER_FREEZE_MS);
    diary.note("freeze the broker for " + frozenMs + " ms");
    withoutBroker(
        "the run froze the broker",
        () -> {
          bed.broker().freeze();
          Waiting.pass(frozenMs);
          bed.broker().thaw();
        });
  }

  private void failRegistry() throws InterruptedException {
    int failingMs = random.nextInt(MOST_FAILING_MS);
    diary.note("the schema registry fails for " + failingMs + " ms");
    bed.registry().fail(true);
    Waiting.pass(failingMs);
    bed.registry().fail(false);
  }

  private void stepClock() throws InterruptedException {
    int stepMs = random.nextInt(MOST_BACK_MS + MOST_AHEAD_MS) - MOST_BACK_MS;
    int forMs = random.nextInt(LONGEST_STEP_MS);
    diary.note("step the clock of all users by " + stepMs + " ms for " + forMs + " ms");
    publisher.stepClock(stepMs);
    Waiting.pass(forMs);
    publisher.stepClock(0);
  }

  private void poison() {
    int count = random.nextInt(MOST_POISON);
    diary.note("publish " + count + " records that are no events");
    publisher.poison(count);
  }

  private void large() {
    int count = 1 + random.nextInt(MOST_LARGE);
    diary.note("publish " + count + " events near the size that a topic takes, or above");
    publisher.large(count);
  }
}
