package io.sluice.bench.report;

import java.util.List;

/** Minimum, median and maximum of a figure over several rounds. */
public record Spread(double least, double median, double most) {
  public static Spread of(List<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    int middle = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    return new Spread(sorted.get(0), median, sorted.get(sorted.size() - 1));
  }
}
