package io.sluice.topology.event;

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
  TOO_LARGE
}
