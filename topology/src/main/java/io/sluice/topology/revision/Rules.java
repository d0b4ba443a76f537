package io.sluice.topology.revision;

import java.util.Map;

/** What may be set, of a limit or of all of them. */
interface Rules {
  /**
   * The outcome of a revision.
   *
   * @param refusal why it cannot be; empty if it can
   */
  record Applied(InForce inForce, String refusal) {
    static Applied refused(String why) {
      return new Applied(InForce.NOTHING, why);
    }

    static Applied accepted(InForce inForce) {
      return new Applied(inForce, "");
    }

    boolean isAccepted() {
      return refusal.isEmpty();
    }
  }

  /**
   * What a revision builds on.
   *
   * @param wider what holds without this scope's revisions
   * @param before what holds with those that came before
   * @param known what held at first: where counts are kept, and by which key, never changes
   */
  record Ground(InForce wider, InForce before, InForce known) {}

  /**
   * What holds for a scope if its revisions set this.
   *
   * @param own what they set together
   */
  Applied apply(Scope scope, Ground ground, Map<String, String> own);

  /** Of all limits only the verdict is set, which can be no mistake. */
  static Applied verdictOnly(Scope scope, Ground ground, Map<String, String> own) {
    return Applied.accepted(new InForce(ground.wider, own, ground.wider.limit()));
  }
}
