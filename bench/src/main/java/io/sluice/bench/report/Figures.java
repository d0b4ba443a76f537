package io.sluice.bench.report;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Formats figures for the tables of the benchmark. */
public final class Figures {
  private Figures() {}

  /** Formats a round number in thousands or millions: 10k, 1M. */
  public static String round(int count) {
    return count % 1_000_000 == 0 ? count / 1_000_000 + "M" : count / 1_000 + "k";
  }

  /** Returns a percentile of a histogram of microseconds, in milliseconds. */
  public static String millis(Histogram micros, double percentile) {
    return String.format(Locale.ROOT, "%.1f", micros.getValueAtPercentile(percentile) / 1_000.0);
  }
}
