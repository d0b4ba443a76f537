package io.sluice.spring.proxy;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Tells a caller that can wait, such as a Kafka listener container, to repeat its call later. An
 * error rather than an exception: code between the method and the container, such as a {@code
 * KafkaListenerErrorHandler}, would take an exception for a failure of the method.
 */
public final class RetryLaterError extends Error {
  private static final long serialVersionUID = 1;

  private final Duration patience;
  private final transient BooleanSupplier changed;

  RetryLaterError(Duration patience, BooleanSupplier changed) {
    super("over the limit for another " + millis(patience) + " ms", null, false, false);
    this.patience = patience;
    this.changed = changed;
  }

  private static long millis(Duration wait) {
    return wait.plusNanos(999_999).toMillis();
  }

  /** Returns the wait in milliseconds, rounded up so that it is always long enough. */
  public long patienceMs() {
    return millis(patience);
  }

  /** Returns the wait until the same call may conform. */
  public Duration patience() {
    return patience;
  }

  /**
   * Whether limits have changed since the call was refused, so that it may conform earlier than
   * announced. Thread-safe.
   */
  public boolean isChanged() {
    return changed.getAsBoolean();
  }
}
