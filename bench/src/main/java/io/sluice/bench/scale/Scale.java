package io.sluice.bench.scale;

import io.sluice.bench.lab.Laboratory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs Sluice with an increasing number of keys, and then with an increasing number of delayed
 * events.
 */
public final class Scale {
  private final ScaleBed bed;

  /**
   * Figures of all runs.
   *
   * @param leftOut one line for each run that was skipped for lack of memory
   */
  public record Results(List<KeyPoint> keys, List<DelayPoint> delays, List<String> leftOut) {}

  public Scale(Laboratory laboratory, ScalePlan plan, PrintWriter progress, Path folder) {
    bed = new ScaleBed(laboratory, plan, progress, folder);
  }

  public Results run() throws Exception {
    List<KeyPoint> keys = new KeyScale(bed).run();
    List<DelayPoint> delays = new DelayScale(bed).run();
    return new Results(keys, delays, bed.leftOut());
  }
}
