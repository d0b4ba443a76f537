package io.sluice.guarantees;

import java.util.List;

/** The headers that explain a verdict, as the README names them. */
final class Verdicts {
  static final String PREFIX = "sluice-";
  static final String VERDICT = "sluice-verdict";
  static final String RELEASE_AT = "sluice-release-at-ms";
  static final String RELEASE_TO = "sluice-release-to";
  static final String RETRY_AFTER = "sluice-retry-after-ms";
  static final String SHADOW = "sluice-shadow";
  static final String RESET_AFTER = "sluice-reset-after-ms";
  static final String ERROR = "sluice-error";

  static final String ERROR_ORIGIN = "sluice-error-origin";
  static final String ERROR_LEFT_OUT = "sluice-error-left-out";
  static final String REASON = "sluice-reason";
  static final String WITHOUT_REDIS = "redis-unavailable";

  /** What somebody may write who would like to be Sluice. */
  static final List<String> FORGEABLE =
      List.of(
          VERDICT,
          RELEASE_AT,
          RELEASE_TO,
          RETRY_AFTER,
          SHADOW,
          RESET_AFTER,
          REASON,
          "sluice-limit",
          "sluice-origin",
          "sluice-attempt",
          "sluice-anything");

  private Verdicts() {}
}
