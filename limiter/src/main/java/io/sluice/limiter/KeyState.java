package io.sluice.limiter;

/**
 * One key's state under one rule, held while arrivals are metered. Not thread-safe. Reading never
 * changes what is stored: only {@link #save} does.
 */
sealed interface KeyState permits GcraState, WindowLog, WindowCounter, StoredState {
  /**
   * The latest instant at which the bucket was judged and charged, or counted an attempt: arrivals
   * are judged no earlier. 0 if it never was.
   */
  long clockMicros();

  /**
   * The first instant, at or after {@code now}, at which the arrival conforms after everything
   * admitted or reserved before it. Asked only with a cost within the rule's capacity.
   */
  long conformsAt(long nowMicros, long cost);

  /** Charges an admitted arrival at {@code at}, judged at {@code now}. */
  void charge(long nowMicros, long atMicros, long cost, Identity identity);

  /** Counts an arrival that was refused, where the rule counts attempts; it is not remembered. */
  void chargeRefused(long nowMicros, long cost);

  /** What is remembered of an identity within the period that ends now. */
  Prior prior(long nowMicros, Identity identity);

  /** Permits that could still arrive, never negative. */
  long remaining(long nowMicros);

  /** When the key is as good as new. */
  long newAt();

  /** When nothing that is stored decides anything any more, so that it may be forgotten. */
  long forgottenAt();

  /** Writes the state as the row (and further rows) of this key. */
  void save(Rows rows, byte[] row);

  static KeyState empty(Rule rule) {
    return switch (rule.algorithm()) {
      case GCRA -> new GcraState(rule);
      case SLIDING_WINDOW_LOG -> new WindowLog(rule);
      case SLIDING_WINDOW_COUNTER -> new WindowCounter(rule);
    };
  }

  static KeyState load(Rule rule, Storage storage, byte[] row) {
    byte[] value = storage.rows().get(row);
    if (value != null) return of(rule, storage, row, value);
    return rule.algorithm() == Algorithm.SLIDING_WINDOW_LOG
        ? WindowLog.empty(rule, storage, row)
        : empty(rule);
  }

  static KeyState of(Rule rule, Storage storage, byte[] row, byte[] value) {
    return switch (rule.algorithm()) {
      case GCRA -> GcraState.load(rule, value);
      case SLIDING_WINDOW_LOG -> WindowLog.load(rule, storage, row, value);
      case SLIDING_WINDOW_COUNTER -> WindowCounter.load(rule, value);
    };
  }
}
