package io.sluice.bench.run;

/** The measured application gave wrong results, so its speed is meaningless. */
public final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongResultException(String message) {
    super(message);
  }
}
