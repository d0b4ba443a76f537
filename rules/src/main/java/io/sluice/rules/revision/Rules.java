package io.sluice.rules.revision;

import java.util.Map;

/** Applies settings of revisions to one limit or to all of them, and refuses invalid ones. */
interface Rules {
  /**
   * Result of applying the settings of a revision.
   *
   * @param refusal reason why they cannot be applied; empty if they can
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
   * Settings to which a revision is applied.
   *
   * @param wider settings without the revisions of this scope
   * @param before settings after the earlier revisions of this scope
   * @param known first settings with which the limit exists, whose backend and key never change
   */
  record Ground(InForce wider, InForce before, InForce known) {}

  /**
   * Returns the settings in force for a scope, or the reason why they are refused.
   *
   * @param own settings that the revisions of the scope set together
   */
  Applied apply(Scope scope, Ground ground, Map<String, String> own);

  /**
   * Applies a revision for all limits: of its settings only the verdict has an effect, and it is
   * always valid.
   */
  static Applied verdictOnly(Scope scope, Ground ground, Map<String, String> own) {
    return Applied.accepted(new InForce(ground.wider, own, ground.wider.limit()));
  }
}
