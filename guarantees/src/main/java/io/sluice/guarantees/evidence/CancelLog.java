package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.CancelRequest;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Log of the orders to cancel events in line, with the times at which the run gave them and at
 * which they were published. Each entry is written to a file at once. Thread-safe.
 */
public final class CancelLog {
  private static final String FILE = "cancels.txt";
  private static final String GIVEN = "given";

  /** Time of an order that has not been published, or of which this is not known. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * Order with its times in epoch milliseconds.
   *
   * @param publishedMs time at which the broker had the order; {@link #NEVER} if this is not known
   */
  public record LoggedOrder(CancelRequest order, long atMs, long publishedMs) {}

  private final NoteFile file;
  private final Map<Long, LoggedOrder> orders = new LinkedHashMap<>();

  private CancelLog(NoteFile file) {
    this.file = file;
  }

  public static CancelLog in(Path folder) {
    CancelLog log = new CancelLog(new NoteFile(folder.resolve(FILE)));
    log.file.read(log::remember);
    return log;
  }

  /** Records an order that is about to be given. */
  public void given(CancelRequest order, long atMs) {
    note(String.join(" ", GIVEN, Long.toString(atMs), order.line()));
  }

  /** Records that the broker has an order. */
  public void published(CancelRequest order, long atMs) {
    note(String.join(" ", "published", Long.toString(atMs), order.line()));
  }

  private synchronized void note(String line) {
    remember(line);
    file.append(line);
  }

  private void remember(String line) {
    String[] words = line.split(" ", -1);
    long atMs = Long.parseLong(words[1]);
    CancelRequest order = CancelRequest.read(words[2]);
    if (words[0].equals(GIVEN)) orders.put(order.id(), new LoggedOrder(order, atMs, NEVER));
    else
      orders.computeIfPresent(
          order.id(), (id, given) -> new LoggedOrder(order, given.atMs(), atMs));
  }

  public synchronized Collection<LoggedOrder> all() {
    return List.copyOf(orders.values());
  }
}
