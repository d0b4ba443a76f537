package io.sluice.rules.event;

/** Thrown if a record is not a valid event; the message says what is wrong with it. */
public final class UnreadableEventException extends Exception {
  /**
   * Kinds of faults that make a record unreadable; they are few, so that each has its own counter.
   */
  public enum FaultKind {
    /** The record has no value. */
    EMPTY,
    /** The first byte of the record's value belongs to no known format. */
    UNKNOWN_FORMAT,
    /** The value cannot be decoded in the format that its first byte names. */
    UNDECODABLE,
    /** The event has no user id or no action. */
    MISSING_FIELD,
    /** A field of the event has an invalid value. */
    INVALID_FIELD,
    /** A field that is read occurs twice in one JSON object, so that two readers see two values. */
    DUPLICATE_FIELD,
    /** The time of the event is further in the future than the configuration accepts. */
    IN_FUTURE,
    /** A record on the topic of delayed events has a missing or invalid header. */
    INVALID_HEADER,
    /** The record is too large for a topic to which Sluice may have to forward it. */
    TOO_LARGE,
    /**
     * Redis has a value for the event's key under a limit that the limit cannot read as its count.
     */
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
   * Thrown if the schema registry does not answer, or refuses to answer, so that it is unknown
   * whether the event is valid. The message is one line.
   */
  public static final class SchemasUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    public SchemasUnavailableException(String message) {
      this(message, false);
    }

    public SchemasUnavailableException(String message, Throwable cause) {
      super(message, cause);
      lasting = false;
    }

    private SchemasUnavailableException(String message, boolean lasting) {
      super(message);
      this.lasting = lasting;
    }

    /**
     * Returns the exception for a wrong login or URL of the schema registry: a server answers, but
     * will probably never give a schema.
     */
    public static SchemasUnavailableException misconfigured(String message) {
      return new SchemasUnavailableException(message, true);
    }

    /** Returns whether the failure lasts until the settings of the schema registry are changed. */
    public boolean isLasting() {
      return lasting;
    }
  }
}
