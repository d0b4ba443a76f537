package io.sluice.guarantees.run;

import java.io.Serial;

/** Something other than Sluice went wrong, so that the run says nothing about it. */
public final class ShowsNothingException extends IllegalStateException {
  @Serial private static final long serialVersionUID = 1;

  ShowsNothingException(String message) {
    super(message);
  }
}
