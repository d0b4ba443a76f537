package io.sluice.server.ask;

import io.sluice.server.web.Route;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/**
 * API route for the event counts of this instance alone, which other instances request to sum up
 * all.
 */
final class CountsRoute implements Route {
  static final String PATH = "/api/counts";
  static final String STEPS = "steps";

  private static final Set<String> PARAMETERS = Set.of(STEPS, InstanceClient.LOCAL);

  private final String run;
  private final Watch watch;
  private final InstantSource clock;

  /**
   * Creates the route.
   *
   * @param run unique name of this process
   */
  CountsRoute(String run, Watch watch, InstantSource clock) {
    this.run = run;
    this.watch = watch;
    this.clock = clock;
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public Reply reply(Request request) {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty()) return Reply.problem(404, "unknown path; use " + PATH);
    Map<String, String> given = request.parameters();
    if (!PARAMETERS.containsAll(given.keySet())) {
      return Reply.problem(400, "unknown parameter; accepted are steps and local");
    }
    if (!given.getOrDefault(InstanceClient.LOCAL, "true").equals("true")) {
      return Reply.problem(400, "local must be true; /api/stream has the counts of all instances");
    }
    String steps = given.getOrDefault(STEPS, "" + Watch.STEPS);
    boolean some = steps.matches("[0-9]{1,2}") && isSome(Integer.parseInt(steps));
    if (!some) return Reply.problem(400, "steps must be a number from 1 to " + Watch.STEPS);
    long nowMs = clock.millis();
    CountsResponse counts = CountsResponse.of(watch.history(nowMs), Integer.parseInt(steps));
    return Reply.of(new CountsResponse.OfProcess(run, nowMs, counts));
  }

  private static boolean isSome(int steps) {
    return steps > 0 && steps <= Watch.STEPS;
  }
}
