package io.sluice.bench.run;

/** The measured application did not do what it should: its speed says nothing. */
public final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WrongResultException(String message) {
    super(message);
  }
}
