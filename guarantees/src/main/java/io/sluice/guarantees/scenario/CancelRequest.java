package io.sluice.guarantees.scenario;

/**
 * Order of a test run to cancel events that wait in line.
 *
 * @param id unique number of the order
 * @param user user of the events
 * @param event id of the events; empty for all events of the user
 */
public record CancelRequest(long id, String user, String event) {
  private static final int FIELDS = 3;

  /** Whether the order is for this event, if it waits in line. */
  public boolean names(Described other) {
    return QueueLimits.isFor(other)
        && other.user().equals(user)
        && (event.isEmpty() || other.id().equals(event));
  }

  /** Returns the order as one line of text, which {@link #read} parses. */
  public String line() {
    return String.join("|", Long.toString(id), user, event);
  }

  public static CancelRequest read(String line) {
    String[] fields = line.split("\\|", -1);
    if (fields.length != FIELDS) throw new IllegalArgumentException("not an order: " + line);
    return new CancelRequest(Long.parseLong(fields[0]), fields[1], fields[2]);
  }
}
