package io.sluice.guarantees.bed;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits until a condition of another process is true, by polling. */
public final class Waiting {
  private static final long BETWEEN_MS = 50;

  private Waiting() {}

  /**
   * Waits until the condition is true.
   *
   * @throws IllegalStateException if it is still false after the maximum time
   */
  static void until(String what, Duration most, BooleanSupplier condition)
      throws InterruptedException {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > most.toNanos()) {
        throw new IllegalStateException("waited for " + most.toSeconds() + " s in vain: " + what);
      }
      pass(BETWEEN_MS);
    }
  }

  public static void pass(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }
}
