package io.sluice.server.ask;

import static java.util.stream.Collectors.joining;

import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
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

  private final Watch watch;
  private final CurrentLimits limits;
  private final OtherInstances others;
  private final InstantSource clock;

  TopRoute(Watch watch, CurrentLimits limits, OtherInstances others, InstantSource clock) {
    this.watch = watch;
    this.limits = limits;
    this.others = others;
    this.clock = clock;
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
    Map<String, Limit> inForce = inForce();
    String limit = given.get("limit");
    if (limit == null) return Reply.of(all(inForce, by.get(), alone.equals("true")));
    if (!inForce.containsKey(limit)) return Reply.problem(404, noSuchLimit(inForce.keySet()));
    return Reply.of(one(inForce.get(limit), by.get(), alone.equals("true")));
  }

  /** Returns the limits in force now, by name. */
  private Map<String, Limit> inForce() {
    Map<String, Limit> byName = new LinkedHashMap<>();
    for (Limit each : limits.known().at(clock.millis()).all()) byName.put(each.name(), each);
    return byName;
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

  private Report one(Limit limit, Verdict.Kind by, boolean alone)
      throws InterruptedException, ExecutionException {
    Report own = own(List.of(limit), by);
    return alone ? own : with(own, Map.of("limit", limit.name())).first(1, MOST_KEYS);
  }

  private Report all(Map<String, Limit> inForce, Verdict.Kind by, boolean alone)
      throws InterruptedException, ExecutionException {
    Report own = own(List.copyOf(inForce.values()), by);
    return alone
        ? own.first(inForce.size(), MOST_KEYS)
        : with(own, Map.of()).first(MOST_LIMITS, MOST_KEYS);
  }

  /** Returns the report of this instance alone. */
  private Report own(List<Limit> of, Verdict.Kind by) {
    long nowMs = clock.millis();
    List<Report.OfLimit> all = of.stream().map(limit -> own(limit, by, nowMs)).toList();
    return new Report(by.text, nowMs, all, List.of(), List.of());
  }

  private Report.OfLimit own(Limit limit, Verdict.Kind by, long nowMs) {
    boolean shadow = limit.rule().shadow();
    List<String> fields = limit.key().fields().stream().map(Field::toString).toList();
    return Report.OfLimit.of(limit.name(), shadow, fields)
        .with(watch.hasKeys(limit.name(), shadow), watch.top(limit.name(), shadow, by, nowMs));
  }

  /** Asks the other instances, and adds their reports to this instance's report. */
  Report with(Report own, Map<String, String> limit)
      throws InterruptedException, ExecutionException {
    Map<String, String> parameters = new TreeMap<>(limit);
    parameters.put("by", own.by());
    return own.with(
        others.askAll(PATH, parameters, text -> JsonText.read(text, Report.class)).get());
  }
}
