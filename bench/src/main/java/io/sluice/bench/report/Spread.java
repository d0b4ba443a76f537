package io.sluice.bench.report;

import com.google.common.math.Quantiles;
import java.util.Collections;
import java.util.List;

/** Minimum, median and maximum of a figure over several rounds. */
public record Spread(double least, double median, double most) {
  public static Spread of(List<Double> figures) {
    double median = Quantiles.median().compute(figures);
    return new Spread(Collections.min(figures), median, Collections.max(figures));
  }
}
