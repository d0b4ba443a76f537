package io.sluice.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FreshnessTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(7 * SECOND);
  private final AtomicLong step = new AtomicLong();
  private final AtomicInteger looks = new AtomicInteger();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Freshness freshness = new Freshness(this::look, new Saying());
  private final Thread waiting = new Thread(freshness::await);

  private long look() {
    looks.incrementAndGet();
    return nanos.addAndGet(step.get());
  }

  private final class Saying implements Freshness.Listener {
    @Override
    public void stale() {
      said.add("stale");
    }

    @Override
    public void freshAgain() {
      said.add("fresh");
    }
  }

  @AfterEach
  void nobodyWaitsAfterwards() {
    freshness.close();
  }

  private void startToWait() {
    nanos.addAndGet(2 * SECOND);
    waiting.start();
    awaitLooks();
  }

  /** Waits until the thread has checked again and still waits. */
  private void awaitLooks() {
    int before = looks.get();
    await().until(() -> looks.get() > before + 2);
    assertThat(waiting.isAlive()).isTrue();
  }

  @Test
  void nobodyWaitsForASecond() {
    nanos.addAndGet(SECOND);
    freshness.await();
    assertThat(said).isEmpty();
  }

  @Test
  void whoStoodStillWaitsForAnEndThatWasAskedForAfterwards() throws Exception {
    startToWait();
    freshness.confirm(nanos.get() - 1);
    awaitLooks();
    freshness.confirm(nanos.get());
    waiting.join();
    assertThat(said).isEmpty();
  }

  @Test
  void afterFiveSecondsItGoesOnAndNobodyWaitsUntilItIsConfirmed() throws Exception {
    step.set(SECOND / 2);
    startToWaitUntilItEnds();
    assertThat(said).containsExactly("stale");
    step.set(0);
    nanos.addAndGet(100 * SECOND);
    freshness.await();

    freshness.confirm(nanos.get());
    assertThat(said).containsExactly("stale", "fresh");
    Thread again = new Thread(freshness::await);
    nanos.addAndGet(2 * SECOND);
    again.start();
    await().until(() -> again.getState() == Thread.State.TIMED_WAITING);
  }

  private void startToWaitUntilItEnds() throws InterruptedException {
    nanos.addAndGet(2 * SECOND);
    waiting.start();
    waiting.join();
  }

  @Test
  void aStandstillIsNoTimeInWhichSomebodyHasWaited() throws Exception {
    startToWait();
    nanos.addAndGet(3_600 * SECOND);
    awaitLooks();
    freshness.confirm(nanos.get());
    waiting.join();
    assertThat(said).isEmpty();
  }

  @Test
  void whoeverWaitsIsReleasedAtTheEnd() throws Exception {
    startToWait();
    freshness.close();
    waiting.join();
    freshness.confirm(nanos.get());
    nanos.addAndGet(2 * SECOND);
    freshness.await();
    assertThat(said).isEmpty();
  }

  @Test
  void whoIsInterruptedGoesOnAndStaysInterrupted() {
    nanos.addAndGet(2 * SECOND);
    Thread.currentThread().interrupt();
    freshness.await();
    assertThat(Thread.interrupted()).isTrue();
  }
}
