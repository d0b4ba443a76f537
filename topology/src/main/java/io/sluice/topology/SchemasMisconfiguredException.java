package io.sluice.topology;

/**
 * Whoever is asked for schemas answers, but will hardly ever give one: the login or the URL is
 * wrong. Nothing is known about the event either.
 */
final class SchemasMisconfiguredException extends SchemasUnavailableException {
  private static final long serialVersionUID = 1L;

  SchemasMisconfiguredException(String message) {
    super(message);
  }

  @Override
  public boolean isLasting() {
    return true;
  }
}
