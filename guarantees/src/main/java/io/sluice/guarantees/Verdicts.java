package io.sluice.guarantees;

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

  private Verdicts() {}
}
