package io.sluice.topology.change;

import io.sluice.topology.change.Body.Kind;
import io.sluice.topology.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The undoing of a revision over HTTP. */
final class UndoRoute implements Route {
  private static final Map<String, Kind> FIELDS =
      Map.of("by", Kind.TEXT, "note", Kind.TEXT, "dryRun", Kind.FLAG);

  private final TopicCalls calls;

  UndoRoute(TopicCalls calls) {
    this.calls = calls;
  }

  @Override
  public String path() {
    return "/api/revisions";
  }

  @Override
  public Reply reply(Request request) throws InterruptedException {
    List<String> below = request.below();
    // Every id begins with an empty text, and there may be only one.
    if (below.size() != 2 || below.get(0).isEmpty() || !below.get(1).equals("undo")) {
      return Reply.problem(404, "there is /api/revisions/{id}/undo; /api/history shows revisions");
    }
    if (!request.method().equals("POST")) return Reply.only("POST");
    Body body = Body.of(request, FIELDS);
    if (!body.mistakes().isEmpty()) return TopicCalls.mistaken(body.mistakes());
    Changes.Asked asked = body.asked();
    return calls.change(
        new Told("undo", asked.dryRun()),
        asked,
        session -> Optional.empty(),
        changes -> changes.undo(List.of(below.get(0))));
  }
}
