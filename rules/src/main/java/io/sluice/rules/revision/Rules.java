package io.sluice.rules.revision;

import java.util.Map;

/** Applies settings of revisions to one limit or to all of them, and refuses invalid ones. */
interface Rules {
  /**
   * Result of applying a revision.
   *
   * @param refusal reason why it cannot be applied; empty if it can
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
   * Settings that a revision is applied to.
   *
   * @param wider settings without this scope's revisions
   * @param before settings after the earlier revisions of this scope
   * @param known first settings of the limit, whose backend and key never change
   */
  record Ground(InForce wider, InForce before, InForce known) {}

  /**
   * Returns the settings in force for a scope, or the reason why they are refused.
   *
   * @param own settings of the scope's revisions together
   */
  Applied apply(Scope scope, Ground ground, Map<String, String> own);

  /** Applies settings for all limits: only the verdict can be set, which is always valid. */
  static Applied verdictOnly(Scope scope, Ground ground, Map<String, String> own) {
    return Applied.accepted(new InForce(ground.wider, own, ground.wider.limit()));
  }
}
