package io.sluice.guarantees.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A change of a limit that is published while a run goes on.
 *
 * @param id the record's key
 * @param limit a limit's name, or {@link #EVERY_LIMIT}
 * @param user the only one it is for; empty if it is for all
 * @param setting what it sets, such as {@code quota}
 * @param text to what; empty for null, which is back to what holds without it
 * @param fromMs the first instant at which it holds
 * @param untilMs the first at which it no longer does
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
  private static final int FIELDS = 8;

  /** What becomes of it. */
  public enum Kind {
    /** It holds when its time comes. */
    HOLDS,
    /** It can be read and cannot hold: it changes nothing. */
    REFUSED,
    /** It cannot be read: it changes nothing. */
    GARBAGE,
    /** It takes back what had its id. */
    TOMBSTONE
  }

  /** The same with another end. */
  public Revision until(long ms) {
    return new Revision(id, limit, user, setting, text, fromMs, ms, kind);
  }

  /** The record that takes it back. */
  public Revision tombstone() {
    return new Revision(id, limit, user, setting, text, fromMs, untilMs, Kind.TOMBSTONE);
  }

  public boolean isActiveAt(long ms) {
    return fromMs <= ms && ms < untilMs;
  }

  /** The record's value, as the manual describes it; null for a tombstone. */
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

  /** All of it in a line, which {@link #read} reads. */
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
