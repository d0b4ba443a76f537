package io.sluice.spring.proxy;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The answer to a patient caller whose call is refused for a while. It is an error and no
 * exception, because what is between this and the container, such as a {@code
 * KafkaListenerErrorHandler}, would take an exception for a failure of the method.
 */
public final class NotYet extends Error {
  private static final long serialVersionUID = 1;

  private final Duration patience;
  private final transient BooleanSupplier changed;

  NotYet(Duration patience, BooleanSupplier changed) {
    super("over the limit for another " + patience.toMillis() + " ms", null, false, false);
    this.patience = patience;
    this.changed = changed;
  }

  /** How long until the same call may conform. */
  public Duration patience() {
    return patience;
  }

  /** Whether limits have changed since, so that it may conform sooner. Any thread may ask. */
  public boolean isChanged() {
    return changed.getAsBoolean();
  }
}
