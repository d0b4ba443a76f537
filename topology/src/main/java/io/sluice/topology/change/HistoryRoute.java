package io.sluice.topology.change;

import io.sluice.topology.live.RevisionTopic.Unreadable;
import io.sluice.topology.revision.RevisionReader;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.web.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The revisions that take effect last, and what became of each. The topic is read for it, since an
 * instance does not keep when a revision came.
 */
final class HistoryRoute implements Route {
  static final int MOST = 1_000;
  private static final int MOST_CHARS = 4 << 20;
  private static final String LIMIT = "limit";

  private final TopicCalls calls;

  HistoryRoute(TopicCalls calls) {
    this.calls = calls;
  }

  @Override
  public String path() {
    return "/api/history";
  }

  @Override
  public Reply reply(Request request) throws InterruptedException {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty()) return Reply.problem(404, "there is /api/history?limit=...");
    Map<String, String> given = request.parameters();
    if (!Set.of(LIMIT).containsAll(given.keySet())) {
      return Reply.problem(400, "the only parameter is limit");
    }
    String limit = given.getOrDefault(LIMIT, "");
    return calls.inTurn(new Told("history", true), session -> reply(session, limit));
  }

  private static Reply reply(Session session, String limit) {
    Chronicle chronicle = new Chronicle(session, limit, Scope.WHOLE);
    List<Session.Entry> entries = fitting(chronicle.newest(MOST));
    // Of records that are no revision nobody knows what they are about.
    List<Unreadable> all = limit.isEmpty() ? session.contents().unreadable() : List.of();
    List<Unreadable> unreadable = all.stream().limit(MOST - entries.size()).toList();
    boolean more = chronicle.size() + all.size() > entries.size() + unreadable.size();
    return Reply.object(
        200,
        json -> {
          json.writeNumberField("asOfMs", session.nowMs());
          json.writeArrayFieldStart("revisions");
          for (Session.Entry each : entries) {
            json.writeStartObject();
            each.write(json);
            json.writeEndObject();
          }
          for (Unreadable each : unreadable) {
            json.writeStartObject();
            Session.write(each, json);
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeBooleanField("more", more);
        });
  }

  /** A revision may have 64 KiB. */
  private static List<Session.Entry> fitting(List<Session.Entry> newest) {
    List<Session.Entry> fitting = new ArrayList<>();
    int chars = 0;
    for (Session.Entry each : newest) {
      chars += RevisionReader.json(each.revision()).length();
      if (chars > MOST_CHARS) break;
      fitting.add(each);
    }
    return fitting;
  }
}
