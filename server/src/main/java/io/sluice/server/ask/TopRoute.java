package io.sluice.server.ask;

import static java.util.stream.Collectors.joining;

import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.server.web.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * API route for the keys with most events, of one limit or of each limit. This instance asks the
 * others and sums their reports; with {@code local=true} it reports only its own events.
 */
final class TopRoute implements Route {
  static final int MOST_KEYS = 50;
  static final int MOST_LIMITS = 20;

  static final String PATH = "/api/top";

  private static final Set<String> PARAMETERS = Set.of("limit", "by", InstanceClient.LOCAL);

  private final LocalReports here;
  private final OtherInstances others;

  TopRoute(LocalReports here, OtherInstances others) {
    this.here = here;
    this.others = others;
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public Reply reply(Request request) throws InterruptedException, ExecutionException {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty())
      return Reply.problem(404, "unknown path; use /api/top?limit=...");
    Map<String, String> given = request.parameters();
    if (!PARAMETERS.containsAll(given.keySet())) {
      return Reply.problem(400, "unknown parameter; accepted are limit, by and local");
    }
    Optional<Verdict.Kind> by = kind(given.getOrDefault("by", Verdict.Kind.REJECTED.text));
    if (by.isEmpty()) return Reply.problem(400, "by must be one of " + kinds());
    String alone = given.getOrDefault(InstanceClient.LOCAL, "false");
    if (!alone.matches("true|false")) return Reply.problem(400, "local must be true or false");
    Map<String, Limit> inForce = here.inForce();
    String limit = given.get("limit");
    if (limit == null) return Reply.json(all(inForce, by.get(), alone.equals("true")));
    if (!inForce.containsKey(limit)) return Reply.problem(404, noSuchLimit(inForce.keySet()));
    return Reply.json(one(inForce.get(limit), by.get(), alone.equals("true")));
  }

  private static Optional<Verdict.Kind> kind(String text) {
    return Arrays.stream(Verdict.Kind.values()).filter(kind -> kind.text.equals(text)).findFirst();
  }

  private static String kinds() {
    return Arrays.stream(Verdict.Kind.values()).map(kind -> kind.text).collect(joining(", "));
  }

  /**
   * Returns the error text for an unknown limit, without the requested name, which may be any text.
   */
  private static String noSuchLimit(Set<String> names) {
    return "no such limit is in force; limits in force: " + RevisionFormatter.some(names);
  }

  private String one(Limit limit, Verdict.Kind by, boolean alone)
      throws InterruptedException, ExecutionException {
    Report own = here.report(List.of(limit), by);
    if (alone) return ReportText.json(own);
    Report all = with(own, Map.of("limit", limit.name()));
    return ReportText.json(Reports.first(all, 1, MOST_KEYS));
  }

  private String all(Map<String, Limit> inForce, Verdict.Kind by, boolean alone)
      throws InterruptedException, ExecutionException {
    Report own = here.report(List.copyOf(inForce.values()), by);
    if (alone) return ReportText.json(Reports.first(own, inForce.size(), MOST_KEYS));
    Report all = with(own, Map.of());
    return ReportText.json(Reports.first(all, MOST_LIMITS, MOST_KEYS));
  }

  /** Asks the other instances, and adds their reports to this instance's report. */
  Report with(Report own, Map<String, String> limit)
      throws InterruptedException, ExecutionException {
    Map<String, String> parameters = new TreeMap<>(limit);
    parameters.put("by", own.by());
    InstanceResponses<Report> all = others.askAll(PATH, parameters, Report::read).get();
    List<Report.OfLimit> limits = Reports.sum(own, all.said());
    return new Report(own.by(), own.asOfMs(), limits, all.answered(), all.unanswered());
  }
}
