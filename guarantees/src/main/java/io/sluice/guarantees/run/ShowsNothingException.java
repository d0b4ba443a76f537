package io.sluice.guarantees.run;

import java.io.Serial;

/**
 * Thrown if a program other than Sluice failed, so that the test run proves nothing about Sluice.
 */
public final class ShowsNothingException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ShowsNothingException(String message) {
    super(message);
  }
}
