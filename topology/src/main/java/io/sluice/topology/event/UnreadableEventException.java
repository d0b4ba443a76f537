package io.sluice.topology.event;

/** A record's value is not an event; the message says what is wrong with it. */
public final class UnreadableEventException extends Exception {
  /** A sort of fault that keeps a record from being an event; few enough to be counted apart. */
  public enum FaultKind {
    /** There is no value. */
    EMPTY,
    /** The first byte tells of no format that is known. */
    UNKNOWN_FORMAT,
    /** It cannot be read as what its first byte says. */
    UNDECODABLE,
    /** There is no user or no action. */
    MISSING_FIELD,
    /** A field is there and cannot be true. */
    INVALID_FIELD,
    /** It claims to happen too far ahead. */
    IN_FUTURE,
    /** A delayed record does not say when it is due. */
    INVALID_HEADER,
    /** It could not be written where it may have to go. */
    TOO_LARGE,
    /** Redis answers, and cannot use what it has of the event's key under a limit. */
    UNREADABLE_COUNT
  }

  private static final long serialVersionUID = 1L;

  private final FaultKind kind;

  public UnreadableEventException(String message) {
    this(FaultKind.UNDECODABLE, message);
  }

  public UnreadableEventException(FaultKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public FaultKind kind() {
    return kind;
  }

  /**
   * The schema registry does not answer, or refuses to; nothing is known about the event. It says
   * what is wrong in one line.
   */
  public static final class SchemasUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    public SchemasUnavailableException(String message) {
      this(message, false);
    }

    SchemasUnavailableException(String message, Throwable cause) {
      super(message, cause);
      lasting = false;
    }

    private SchemasUnavailableException(String message, boolean lasting) {
      super(message);
      this.lasting = lasting;
    }

    /**
     * The login or the URL of the registry is wrong: a server answers, but will probably never give
     * a schema.
     */
    public static SchemasUnavailableException misconfigured(String message) {
      return new SchemasUnavailableException(message, true);
    }

    /** Whether it will be so until somebody sets something else. */
    public boolean isLasting() {
      return lasting;
    }
  }
}
