package io.sluice.topology.event;

/**
 * The login or the URL of the schema registry is wrong: a server answers, but will probably never
 * give a schema. Nothing is known about the event.
 */
public final class SchemasMisconfiguredException extends SchemasUnavailableException {
  private static final long serialVersionUID = 1L;

  public SchemasMisconfiguredException(String message) {
    super(message);
  }

  @Override
  public boolean isLasting() {
    return true;
  }
}
