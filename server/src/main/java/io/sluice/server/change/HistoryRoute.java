package io.sluice.server.change;

import io.sluice.live.RevisionTopic.Unreadable;
import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.NamedValues;
import io.sluice.live.change.RevisionHistory;
import io.sluice.rules.event.Field;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.revision.Scope;
import io.sluice.server.web.Route;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * API route that lists the latest revisions with the status of each. It reads the topic of
 * revisions for each request, since an instance does not store when revisions were written.
 */
final class HistoryRoute implements Route {
  static final int MOST = 1_000;
  private static final int MOST_CHARS = 4 << 20;
  private static final String LIMIT = "limit";
  private static final String BEFORE = "before";

  /**
   * Position in the list: of a revision by its effective time and id, or of an unreadable record by
   * its offset.
   */
  private static final Pattern PLACE =
      Pattern.compile("([0-9]{1,15})-(.+)|@([0-9]{1,18})", Pattern.DOTALL);

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
    if (!request.below().isEmpty())
      return Reply.problem(404, "unknown path; use /api/history?limit=...");
    Map<String, String> fields = new TreeMap<>(request.parameters());
    String limit = Optional.ofNullable(fields.remove(LIMIT)).orElse("");
    Optional<String> before = Optional.ofNullable(fields.remove(BEFORE));
    List<String> values = fields.entrySet().stream().map(HistoryRoute::pair).toList();
    List<String> mistakes = new ArrayList<>();
    Scope scope = NamedValues.scope("parameter", values, mistakes);
    if (!mistakes.isEmpty()) {
      return Reply.problem(
          400,
          "unknown parameter or empty value; accepted are limit, before, and fields: "
              + Field.NAMES);
    }
    if (before.isPresent() && !PLACE.matcher(before.get()).matches()) {
      return Reply.problem(400, "before must be the value of next in an earlier answer");
    }
    return calls.inTurn(
        new ChangeResponse("history", true),
        session -> reply(session, limit, scope, before.orElse("")));
  }

  private static String pair(Map.Entry<String, String> field) {
    return field.getKey() + "=" + field.getValue();
  }

  private static Reply reply(ChangeSession session, String limit, Scope scope, String before) {
    RevisionHistory chronicle = new RevisionHistory(session, limit, scope);
    Matcher place = PLACE.matcher(before);
    boolean afterSome = place.matches();
    boolean afterAll = afterSome && place.group(1) == null;
    if (afterSome && !afterAll) {
      chronicle = chronicle.before(Long.parseLong(place.group(1)), place.group(2));
    }
    List<ChangeSession.Entry> entries = afterAll ? List.of() : fitting(chronicle.newest(MOST));
    boolean moreRevisions = !afterAll && entries.size() < chronicle.size();
    // Unreadable records have no known limit or scope, so a filter excludes them.
    boolean all = limit.isEmpty() && scope.isWhole();
    long from = afterAll ? Long.parseLong(place.group(3)) : 0;
    List<Unreadable> left =
        session.contents().unreadable().stream()
            .filter(each -> all && each.offset() >= from)
            .sorted(Comparator.comparingLong(Unreadable::offset))
            .toList();
    int room = moreRevisions ? 0 : MOST - entries.size();
    List<Unreadable> unreadable = left.subList(0, Math.min(room, left.size()));
    String next = "";
    if (moreRevisions) next = place(entries.get(entries.size() - 1).revision());
    else if (unreadable.size() < left.size()) next = "@" + left.get(unreadable.size()).offset();
    return reply(session, entries, unreadable, next);
  }

  /** Returns the position in the list after a revision. The revision need not exist any more. */
  private static String place(LimitRevision revision) {
    return revision.effectiveAtMs() + "-" + revision.id();
  }

  private static Reply reply(
      ChangeSession session,
      List<ChangeSession.Entry> entries,
      List<Unreadable> unreadable,
      String next) {
    return Reply.object(
        200,
        json -> {
          json.writeNumberField("asOfMs", session.nowMs());
          json.writeArrayFieldStart("revisions");
          for (ChangeSession.Entry each : entries) {
            json.writeStartObject();
            each.write(json);
            json.writeEndObject();
          }
          for (Unreadable each : unreadable) {
            json.writeStartObject();
            ChangeSession.write(each, json);
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeBooleanField("more", !next.isEmpty());
          if (next.isEmpty()) json.writeNullField("next");
          else json.writeStringField("next", next);
        });
  }

  /** Returns the first entries that fit in one response, since a revision may have 64 KiB. */
  private static List<ChangeSession.Entry> fitting(List<ChangeSession.Entry> newest) {
    List<ChangeSession.Entry> fitting = new ArrayList<>();
    int chars = 0;
    for (ChangeSession.Entry each : newest) {
      chars += RevisionReader.json(each.revision()).length();
      if (chars > MOST_CHARS) break;
      fitting.add(each);
    }
    return fitting;
  }
}
