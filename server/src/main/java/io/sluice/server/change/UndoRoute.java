package io.sluice.server.change;

import io.sluice.live.change.RequestedChanges;
import io.sluice.server.change.RequestBody.Kind;
import io.sluice.server.web.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** API route that undoes revisions: one that the path names, or all that the body lists. */
final class UndoRoute implements Route {
  private static final String UNDO = "undo";
  private static final String IDS = "ids";
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
    boolean several = below.equals(List.of(UNDO));
    // An empty id would be a prefix of every id, and would select a revision if there is only one.
    boolean one = below.size() == 2 && !below.get(0).isEmpty() && below.get(1).equals(UNDO);
    if (!several && !one) {
      return Reply.problem(
          404,
          "unknown path; use /api/revisions/{id}/undo or /api/revisions/undo; /api/history shows"
              + " revisions");
    }
    if (!request.method().equals("POST")) return Reply.only("POST");
    Map<String, Kind> fields = new TreeMap<>(FIELDS);
    if (several) fields.put(IDS, Kind.TEXTS);
    RequestBody body = RequestBody.of(request, fields);
    if (several) body.require(IDS, "[\"d3998170\"]");
    if (!body.mistakes().isEmpty()) return TopicCalls.mistaken(body.mistakes());
    List<String> ids = several ? body.list(IDS) : below.subList(0, 1);
    RequestedChanges.Asked asked = body.asked();
    return calls.change(
        new ChangeResponse("undo", asked.dryRun()),
        asked,
        session -> Optional.empty(),
        changes -> changes.undo(ids));
  }
}
