package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Dated change of a limit that is published during a test run.
 *
 * @param id key of the record in the topic of limits
 * @param limit name of a limit, or {@link #EVERY_LIMIT}
 * @param user the only user for whom the change applies; empty for all users
 * @param setting name of the changed setting, such as {@code quota}
 * @param text new value; empty for null, which restores the configured value
 * @param fromMs start, inclusive, epoch milliseconds
 * @param untilMs end, exclusive, epoch milliseconds
 * @param kind expected effect
 */
public record Revision(
    String id,
    String limit,
    String user,
    String setting,
    String text,
    long fromMs,
    long untilMs,
    Kind kind) {
  public static final String EVERY_LIMIT = "*";
  public static final long FOR_GOOD = Long.MAX_VALUE;

  /** Verdict that keeps events in line. */
  public static final String PAUSE = "pause";

  private static final int FIELDS = 8;

  /** Expected effect of a revision (a dated change of a limit). */
  public enum Kind {
    /** The revision is in force from its start to its end. */
    HOLDS,
    /** The revision is readable but invalid, so it has no effect. */
    REFUSED,
    /** The revision is unreadable, so it has no effect. */
    GARBAGE,
    /** The record deletes the revision with the same id. */
    TOMBSTONE
  }

  /** Returns a copy of the revision with another end. */
  public Revision until(long ms) {
    return new Revision(id, limit, user, setting, text, fromMs, ms, kind);
  }

  /** Returns the tombstone that deletes this revision from the topic of limits. */
  public Revision tombstone() {
    return new Revision(id, limit, user, setting, text, fromMs, untilMs, Kind.TOMBSTONE);
  }

  /** Whether the revision pauses a limit with a queue. */
  public boolean isPause() {
    return setting.equals("verdict") && text.equals(PAUSE);
  }

  public boolean isActiveAt(long ms) {
    return fromMs <= ms && ms < untilMs;
  }

  /** Returns the value of the revision's record in the documented format; null for a tombstone. */
  public byte[] value() {
    if (kind == Kind.TOMBSTONE) return null;
    String json = json();
    return (kind == Kind.GARBAGE ? json.substring(0, json.length() / 2) : json).getBytes(UTF_8);
  }

  private String json() {
    StringBuilder json = new StringBuilder("{\"limit\":\"").append(limit).append('"');
    if (!user.isEmpty()) json.append(",\"for\":{\"userId\":\"").append(user).append("\"}");
    json.append(",\"effectiveAt\":").append(fromMs);
    if (untilMs != FOR_GOOD) json.append(",\"until\":").append(untilMs);
    json.append(",\"set\":{\"").append(setting).append("\":");
    json.append(text.isEmpty() ? "null" : '"' + text + '"');
    return json.append("},\"by\":\"guarantees\"}").toString();
  }

  /** Returns the revision as one line of text with all fields, which {@link #read} parses. */
  public String line() {
    return String.join(
        "|",
        id,
        limit,
        user,
        setting,
        text,
        Long.toString(fromMs),
        Long.toString(untilMs),
        kind.name());
  }

  public static Revision read(String line) {
    String[] fields = line.split("\\|", -1);
    if (fields.length != FIELDS) throw new IllegalArgumentException("not a revision: " + line);
    return new Revision(
        fields[0],
        fields[1],
        fields[2],
        fields[3],
        fields[4],
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Kind.valueOf(fields[7]));
  }
}
