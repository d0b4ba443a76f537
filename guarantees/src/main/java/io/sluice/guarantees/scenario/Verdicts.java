package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** Names and values of the headers that Sluice adds to records, as the manual lists them. */
public final class Verdicts {
  public static final String PREFIX = "sluice-";
  public static final String VERDICT = "sluice-verdict";
  public static final String RELEASE_AT = "sluice-release-at-ms";

  /** Instant at which a limit with a queue let an event pass, at once or after a wait. */
  public static final String RELEASED_AT = "sluice-released-at-ms";

  /** Present if the release time is an estimate, because the event waits in line. */
  public static final String ESTIMATE = "sluice-estimate";

  public static final String RELEASE_TO = "sluice-release-to";
  public static final String RETRY_AFTER = "sluice-retry-after-ms";
  public static final String SHADOW = "sluice-shadow";
  static final String RESET_AFTER = "sluice-reset-after-ms";
  public static final String ATTEMPT = "sluice-attempt";
  public static final String LIMIT = "sluice-limit";
  public static final String REMAINING = "sluice-remaining";
  public static final String ERROR = "sluice-error";

  public static final String ERROR_ORIGIN = "sluice-error-origin";
  public static final String ERROR_LEFT_OUT = "sluice-error-left-out";
  public static final String REASON = "sluice-reason";
  public static final String WITHOUT_REDIS = "redis-unavailable";
  public static final String DENIED = "denied";

  /** Reason of an event that was cancelled while it waited in line. */
  public static final String CANCELLED = "cancelled";

  /** Header of a record on the topic of delayed events that is an order, and not an event. */
  public static final String CONTROL = "sluice-control";

  /**
   * Headers of Sluice that the publisher adds to some input records, as a malicious producer could;
   * Sluice must remove them.
   */
  public static final List<String> FORGEABLE =
      List.of(
          VERDICT,
          RELEASE_AT,
          RELEASED_AT,
          ESTIMATE,
          RELEASE_TO,
          RETRY_AFTER,
          SHADOW,
          RESET_AFTER,
          REASON,
          LIMIT,
          REMAINING,
          CONTROL,
          "sluice-origin",
          "sluice-attempt",
          "sluice-anything");

  private static final String FORGED = "forged";

  private Verdicts() {}

  /** Returns the value of all forged headers. */
  public static byte[] forged() {
    return FORGED.getBytes(UTF_8);
  }
}
