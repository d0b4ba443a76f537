package io.sluice.server.change;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RequestedChanges;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.server.change.RequestBody.Kind;
import io.sluice.server.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * API route for changes of a limit, below {@code /api/limits}. Queries about limits have another
 * route.
 */
final class LimitWrites implements Route {
  private static final String SET = "set";
  private static final String ADD = "add";
  private static final Map<String, Kind> COMMON =
      Map.of(
          "for",
          Kind.PAIRS,
          "at",
          Kind.TEXT,
          "by",
          Kind.TEXT,
          "note",
          Kind.TEXT,
          "dryRun",
          Kind.FLAG);
  private static final Map<String, Kind> UNTIL = Map.of("until", Kind.TEXT);

  /** Kind of change of a limit, with its own fields and examples of the required ones. */
  private record Action(Map<String, Kind> fields, Map<String, String> required, Doing doing) {}

  private interface Doing {
    void accept(RequestedChanges changes, String limit, RequestBody body);
  }

  private static final Action PUT =
      new Action(
          Map.of(SET, Kind.PAIRS, ADD, Kind.FLAG, "until", Kind.TEXT),
          Map.of(SET, "{\"quota\":\"10/60s\"}"),
          (changes, limit, body) -> {
            if (body.flag(ADD)) changes.add(limit, body.list(SET));
            else changes.set(limit, body.list(SET));
          });

  private static final Map<String, Action> POSTS =
      new TreeMap<>(
          Map.of(
              "block", plain(UNTIL, RequestedChanges::block),
              "exempt", plain(UNTIL, RequestedChanges::exempt),
              "pause", plain(UNTIL, RequestedChanges::pause),
              "reset", plain(Map.of(), RequestedChanges::reset),
              "resume", plain(Map.of(), RequestedChanges::resume),
              "clear",
                  new Action(
                      Map.of("settings", Kind.TEXTS, "until", Kind.TEXT),
                      Map.of(),
                      (changes, limit, body) -> changes.clear(limit, body.list("settings"))),
              "ramp",
                  new Action(
                      Map.of(
                          "from", Kind.TEXT,
                          "to", Kind.TEXT,
                          "over", Kind.TEXT,
                          "steps", Kind.NUMBER,
                          "growth", Kind.TEXT),
                      Map.of("from", "100/1h", "to", "1000/1h", "over", "7d", "steps", "7"),
                      (changes, limit, body) -> changes.ramp(limit, steps(body)))));

  private static Action plain(
      Map<String, Kind> fields, BiConsumer<RequestedChanges, String> doing) {
    return new Action(fields, Map.of(), (changes, limit, body) -> doing.accept(changes, limit));
  }

  private static RequestedChanges.Steps steps(RequestBody body) {
    return new RequestedChanges.Steps(
        body.text("from", ""),
        body.text("to", ""),
        body.text("over", ""),
        body.number("steps", 0),
        body.text("growth", "ratio"));
  }

  private final TopicCalls calls;

  LimitWrites(TopicCalls calls) {
    this.calls = calls;
  }

  @Override
  public String path() {
    return "/api/limits";
  }

  @Override
  public Reply reply(Request request) throws InterruptedException {
    List<String> below = request.below();
    if (below.size() == 1) {
      if (!request.method().equals("PUT")) return Reply.only("PUT");
      return change(request, SET, PUT);
    }
    Action action = below.size() == 2 ? POSTS.get(below.get(1)) : null;
    if (action == null) {
      String all = String.join(", ", POSTS.keySet());
      return Reply.problem(
          404,
          "unknown path; use /api/limits, /api/limits/{limit}, /api/limits/{limit}/key, or"
              + " /api/limits/{limit}/ and one of "
              + all);
    }
    if (!request.method().equals("POST")) return Reply.only("POST");
    return change(request, below.get(1), action);
  }

  private Reply change(Request request, String name, Action action) throws InterruptedException {
    Map<String, Kind> fields = new TreeMap<>(COMMON);
    fields.putAll(action.fields);
    RequestBody body = RequestBody.of(request, fields);
    new TreeMap<>(action.required).forEach(body::require);
    if (!body.mistakes().isEmpty()) return TopicCalls.mistaken(body.mistakes());
    String limit = request.below().get(0);
    RequestedChanges.Asked asked = body.asked();
    ChangeResponse told =
        new ChangeResponse(name + " of limit " + RevisionFormatter.plain(limit), asked.dryRun());
    return calls.change(
        told,
        asked,
        session -> body.flag(ADD) ? Optional.empty() : missing(session, limit),
        changes -> action.doing.accept(changes, limit, body));
  }

  /**
   * Returns error 404 without the requested name, which may be any text; empty if the limit exists.
   */
  private static Optional<Reply> missing(ChangeSession session, String limit) {
    Set<String> names = new TreeSet<>(session.config().names());
    session.limits().ever().all().stream().map(Limit::name).forEach(names::add);
    if (names.contains(limit) || limit.equals(LimitRevision.EVERY_LIMIT)) return Optional.empty();
    return Optional.of(
        Reply.problem(404, "no such limit; known limits: " + RevisionFormatter.some(names)));
  }
}
