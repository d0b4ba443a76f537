package io.sluice.bench;

/** The measured application did not do what it should: its speed says nothing. */
final class WrongResultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongResultException(String message) {
    super(message);
  }
}
