package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Traffic that fills every store of an application: each algorithm, blocked keys, delayed events,
 * retries, and revisions. The files in {@code golden} have the rows that each release wrote, and
 * its verdicts on the events afterwards.
 */
public final class StoredTraffic {
  /** Noon of the day of the events. */
  public static final long NOON_MS = Instant.parse("2026-06-01T12:00:00Z").toEpochMilli();

  public static final String APPLICATION = "golden";
  public static final String INPUT = "golden-actions";

  /** Name of the file with the rows of the changelogs. */
  public static final String STORES = "stores";

  public static final String REVISIONS = "revisions";

  /** Name of the file with the verdicts on delayed events and then on {@link #after}. */
  public static final String VERDICTS = "verdicts";

  private static final String[] SETTINGS = {
    "application.id=" + APPLICATION,
    "sluice.topics.input=" + INPUT,
    "sluice.topics.allowed=golden-allowed",
    "sluice.topics.rejected=golden-rejected",
    "sluice.topics.delayed=golden-delayed",
    "sluice.topics.dead-letter=golden-dead-letters",
    "sluice.topics.partitions=1",
    "sluice.limits=reply,post,vote,api,offer,people,reach,login,tries,sms,mail",
    "sluice.limit.reply.match.action=reply",
    "sluice.limit.reply.quota=3/1h",
    "sluice.limit.post.match.action=post",
    "sluice.limit.post.quota=3/1h",
    "sluice.limit.post.algorithm=sliding-window-log",
    "sluice.limit.vote.match.action=vote",
    "sluice.limit.vote.quota=3/1h",
    "sluice.limit.vote.algorithm=sliding-window-counter",
    "sluice.limit.api.match.action=api",
    "sluice.limit.api.quota=3/day",
    "sluice.limit.api.zone=Europe/Berlin",
    "sluice.limit.offer.match.action=offer",
    "sluice.limit.offer.key=userId,target",
    "sluice.limit.offer.quota=1/30d",
    "sluice.limit.offer.algorithm=bloom",
    "sluice.limit.offer.bloom.capacity=100",
    "sluice.limit.people.match.action=people",
    "sluice.limit.people.distinct=target",
    "sluice.limit.people.quota=2/1h",
    "sluice.limit.people.algorithm=sliding-window-log",
    "sluice.limit.reach.match.action=reach",
    "sluice.limit.reach.distinct=target",
    "sluice.limit.reach.quota=2/1h",
    "sluice.limit.reach.algorithm=hyperloglog",
    "sluice.limit.login.match.action=login",
    "sluice.limit.login.quota=2/60s",
    "sluice.limit.login.block=1h",
    "sluice.limit.tries.match.action=tries",
    "sluice.limit.tries.quota=3/1h",
    "sluice.limit.tries.algorithm=sliding-window-log",
    "sluice.limit.tries.count=attempts",
    "sluice.limit.sms.match.action=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.sms.exceeded=delay",
    "sluice.limit.mail.match.action=mail",
    "sluice.limit.mail.quota=1/60s",
    "sluice.limit.mail.exceeded=retry",
    "sluice.limit.mail.retry.jitter=0"
  };

  private static final List<String> ACTIONS =
      List.of(
          "reply", "post", "vote", "api", "offer", "people", "reach", "login", "tries", "sms",
          "mail");
  private static final List<String> WAITING = List.of("sms", "mail");
  private static final int BEFORE = 4;

  /** Time when delayed events have left, in milliseconds after noon. */
  public static final long LATER_MS = 600_000;

  private StoredTraffic() {}

  /** Returns the settings of the application, as lines of a properties file. */
  public static String[] settings() {
    return SETTINGS.clone();
  }

  /** Events that fill the stores as in {@link #STORES}. */
  public static List<String> before() {
    List<String> events = new ArrayList<>();
    for (String action : ACTIONS) {
      for (int i = 0; i < BEFORE; i++) events.add(event("ada", action, i, i, 100L * i));
      // A user for whom there is a revision.
      events.add(event("bea", action, 0, 0, 500));
      events.add(event("bea", action, 1, 1, 600));
    }
    return events;
  }

  /**
   * Events that show the contents of the stores: a duplicate, and others of the same keys. None is
   * delayed, since a real clock would release it at another time than a test's.
   */
  public static List<String> after() {
    List<String> events = new ArrayList<>();
    for (String action : ACTIONS) {
      events.add(event("ada", action, 0, 0, LATER_MS));
      events.add(event("bea", action, 10, 0, LATER_MS + 300));
      if (WAITING.contains(action)) continue;
      events.add(event("ada", action, 10, 0, LATER_MS + 100));
      events.add(event("ada", action, 11, 11, LATER_MS + 200));
      events.add(event("bea", action, 11, 11, LATER_MS + 400));
    }
    return events;
  }

  private static String event(String user, String action, int id, int target, long afterNoonMs) {
    return "{\"eventId\":\"%s-%d\",\"userId\":\"%s\",\"action\":\"%s\",\"target\":\"t%d\",\"occurredAt\":%d}"
        .formatted(action, id, user, action, target / 2, NOON_MS + afterNoonMs);
  }

  /** Text of a verdict: the topic, the event, and the headers in the order of their names. */
  public static String line(String topic, byte[] value, Map<String, String> headers) {
    String text = new String(value, UTF_8);
    String event = text.replaceAll(".*\"eventId\":\"([^\"]*)\",\"userId\":\"([^\"]*)\".*", "$2 $1");
    return topic + " " + event + " " + new TreeMap<>(headers);
  }

  public static String hex(byte[] bytes) {
    return bytes == null ? "null" : HexFormat.of().formatHex(bytes);
  }

  public static byte[] bytes(String hex) {
    return hex.equals("null") ? null : HexFormat.of().parseHex(hex);
  }
}
