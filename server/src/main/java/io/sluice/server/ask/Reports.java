package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import io.sluice.topology.watch.Top;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Functions that sum the reports of several instances, and cut a report to the limits and keys with
 * most events.
 */
final class Reports {
  private Reports() {}

  /**
   * Adds the counts of the other reports to the limits of the first report. Limits that the first
   * report does not have are ignored.
   */
  static List<Report.OfLimit> sum(Report first, List<Report> others) {
    Map<String, List<Report.OfLimit>> parts = new LinkedHashMap<>();
    for (Report.OfLimit each : first.limits()) parts.put(name(each), new ArrayList<>());
    List<Report> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    for (Report report : all) {
      for (Report.OfLimit each : report.limits()) {
        List<Report.OfLimit> known = parts.get(name(each));
        if (known != null) known.add(each);
      }
    }
    return parts.values().stream().map(Reports::sum).toList();
  }

  /**
   * Name by which the counts of a limit are summed: a limit in shadow mode is not added to an
   * enforced limit of the same name.
   */
  private static String name(Report.OfLimit each) {
    return each.limit() + (each.shadow() ? " shadow" : "");
  }

  private static Report.OfLimit sum(List<Report.OfLimit> parts) {
    Report.OfLimit own = parts.get(0);
    Top top = Top.merged(parts.stream().map(Report.OfLimit::top).toList(), own.top().windowMs());
    boolean watched = parts.stream().allMatch(Report.OfLimit::watched);
    return new Report.OfLimit(own.limit(), own.shadow(), own.fields(), watched, top);
  }

  static Report first(Report report, int mostLimits, int mostKeys) {
    List<Report.OfLimit> limits =
        report.limits().stream()
            .sorted(comparing((Report.OfLimit each) -> each.top().events()).reversed())
            .limit(mostLimits)
            .map(each -> first(each, mostKeys))
            .toList();
    return new Report(report.by(), report.asOfMs(), limits, report.answered(), report.unanswered());
  }

  private static Report.OfLimit first(Report.OfLimit each, int mostKeys) {
    Top top = each.top().first(mostKeys);
    return new Report.OfLimit(each.limit(), each.shadow(), each.fields(), each.watched(), top);
  }
}
