package io.sluice.schemas;

/**
 * Thrown if a map has two entries with a name that is read. Like any {@link UndecodableException},
 * it has no stack trace.
 */
public final class DuplicateNameException extends UndecodableException {
  private static final long serialVersionUID = 1L;

  /**
   * @param path path from the record to the entry
   */
  public DuplicateNameException(String path) {
    super(path + " occurs twice in one map");
  }
}
