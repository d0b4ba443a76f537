package io.sluice.rules.limit;

/** Listener that receives the limits that made a verdict, and their decisions. */
public interface VerdictListener {
  /** Receives the kind of a verdict that no enforced limit decided. */
  void undecided(Verdict.Kind kind);

  /** Receives the decision of the enforced limit that made a verdict, and the kind of verdict. */
  void decided(LimitDecision decision, Verdict.Kind kind);

  /** Receives the decision of a limit in shadow mode, which is not enforced. */
  void watched(LimitDecision decision);
}
