package io.sluice.bench.run;

/** Thrown if the measured application gave wrong results, so that its speed is meaningless. */
public final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongResultException(String message) {
    super(message);
  }
}
