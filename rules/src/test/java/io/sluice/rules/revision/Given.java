package io.sluice.rules.revision;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.TestEvent;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.LimitsText;
import java.util.ArrayList;
import java.util.List;

/** Configurations, events and revisions for tests. Times are in hours after a fixed instant. */
final class Given {
  static final long START_MS = 1_700_000_000_000L;
  static final long HOUR_MS = 3_600_000;

  private static final RevisionReader READER = new RevisionReader();

  private Given() {}

  /**
   * Returns a configuration with limit {@code reply} of 5/60s per user, limit {@code dm} by user
   * and target, and these lines.
   */
  static LimitsConfig config(String... lines) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "sluice.limits=reply,dm",
                "sluice.limit.reply.quota=5/60s",
                "sluice.limit.dm.quota=10/1h",
                "sluice.limit.dm.key=target,userId"));
    all.addAll(List.of(lines));
    return LimitsText.of(all);
  }

  static LimitsInForce limits(String... lines) {
    return LimitsInForce.of(config(lines));
  }

  static long at(long hour) {
    return START_MS + hour * HOUR_MS;
  }

  /** Parses a revision from a JSON object with single quotes; times are in hours. */
  static LimitRevision revision(String id, long from, long until, String json) {
    String end = until == Long.MAX_VALUE ? "" : ",'until':" + at(until);
    String text = "{'id':'" + id + "','effectiveAt':" + at(from) + end + "," + json.substring(1);
    return read(text.replace('\'', '"'));
  }

  static LimitRevision revision(String id, long from, String json) {
    return revision(id, from, Long.MAX_VALUE, json);
  }

  static LimitRevision read(String json) {
    try {
      return READER.ofLine(json, 1);
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(UTF_8);
  }

  static Event event(String user) {
    return TestEvent.event(user, "reply", "target");
  }

  static Event event(String user, String target) {
    return TestEvent.event(user, "dm", target);
  }

  static String quota(LimitsInForce limits, String limit, Event event, long hour) {
    var quota = limits.treatedLimit(limit, event, at(hour)).limit().rule().quota();
    return quota.permits() + "/" + quota.periodMicros() / 1_000_000 + "s";
  }

  /** Returns the quota and times in force at an instant. */
  static NumbersChange lastUntil(List<NumbersChange> numbers, long ms) {
    NumbersChange last = numbers.get(0);
    for (NumbersChange each : numbers) if (each.fromMs() <= ms) last = each;
    return last;
  }
}
