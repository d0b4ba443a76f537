package io.sluice.cli.limits;

import io.sluice.live.change.RequestedChanges;
import picocli.CommandLine.Option;

/**
 * Command-line options of {@code limits ramp}, which changes a quota in several steps over a
 * period.
 */
final class RampOptions {
  @Option(
      names = "--from",
      required = true,
      paramLabel = "QUOTA",
      description = "The first quota, such as 100/1h.")
  private String from;

  @Option(names = "--to", required = true, paramLabel = "QUOTA", description = "The last quota.")
  private String to;

  @Option(
      names = "--over",
      required = true,
      paramLabel = "PERIOD",
      description = "The total duration of all steps, such as 7d.")
  private String over;

  @Option(
      names = "--steps",
      required = true,
      paramLabel = "N",
      description = "The number of steps, 2 to " + RequestedChanges.MOST_STEPS + ".")
  private int steps;

  @Option(
      names = "--growth",
      paramLabel = "KIND",
      description =
          "ratio (default): each step multiplies the permits by the same factor. permits: each step"
              + " adds the same number of permits.")
  private String growth = "ratio";

  RequestedChanges.Steps steps() {
    return new RequestedChanges.Steps(from, to, over, steps, growth);
  }
}
