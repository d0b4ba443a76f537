package io.sluice.cli.limits;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RequestedChanges;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Command-line options of a change of limits: the events in scope, the start, author, note and dry
 * run.
 */
final class ChangeOptions {
  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description =
          "Only for events with this value, such as userId=shop-7. Repeat it for events that have"
              + " several values.")
  private List<String> values = List.of();

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "When the change takes effect: ISO-8601, now, or +10m from now. Default: +2s.")
  private String at = RequestedChanges.SOON;

  @Mixin private Signature signature;

  /**
   * Creates a change request with these options.
   *
   * @param until time at which the change ends; empty if it has no end
   */
  RequestedChanges of(ChangeSession session, String until) {
    return signature.of(session, values, at, until);
  }
}
