package io.sluice.limiter;

/**
 * One key's state under one rule, held while arrivals are metered. Not thread-safe. Reading never
 * changes what is stored: only {@link #save} does.
 */
sealed interface KeyState permits GcraState, WindowLog, WindowCounter, StoredState {
  long NOT_MET = Long.MIN_VALUE;

  /** The key's own clock: arrivals are judged no earlier. 0 if it has none. */
  long clockMicros();

  /**
   * The first instant, at or after {@code now}, at which the arrival conforms after everything
   * admitted or reserved before it. Asked only with a cost within the rule's capacity.
   */
  long conformsAt(long nowMicros, long cost);

  /** Charges an admitted arrival at {@code at}, the clock being {@code now}. */
  void charge(long nowMicros, long atMicros, long cost, long eventHash);

  /** Counts an arrival that was refused, where the rule counts attempts. */
  void chargeRefused(long nowMicros, long cost, long eventHash);

  /**
   * The instant at which this event was charged before, {@link Met#refusedAt} if it was counted as
   * refused, or {@link #NOT_MET}.
   */
  long met(long nowMicros, long sinceMicros, long eventHash);

  /** Permits that could still arrive, never negative. */
  long remaining(long nowMicros);

  /** When the key is as good as new: what is stored may then be forgotten. */
  long newAt();

  /** Writes the state as the row (and further rows) of this key. */
  void save(Rows rows, byte[] row);

  static KeyState empty(Rule rule) {
    return switch (rule.algorithm()) {
      case GCRA -> new GcraState(rule);
      case SLIDING_WINDOW_LOG -> new WindowLog(rule);
      case SLIDING_WINDOW_COUNTER -> new WindowCounter(rule);
    };
  }

  static KeyState load(Rule rule, Rows rows, byte[] row) {
    byte[] value = rows.get(row);
    if (value == null) return empty(rule);
    return switch (rule.algorithm()) {
      case GCRA -> GcraState.load(rule, value);
      case SLIDING_WINDOW_LOG -> WindowLog.load(rule, rows, row, value);
      case SLIDING_WINDOW_COUNTER -> WindowCounter.load(rule, value);
    };
  }
}
