package io.sluice.guarantees.run;

import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.CancelLog;
import io.sluice.guarantees.scenario.CancelRequest;
import io.sluice.guarantees.scenario.Described;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Thread that cancels random events which probably wait in line, and all events of some users. */
final class Canceller {
  private static final int MOST_PAUSE_MS = 5_000;

  /** Time in milliseconds until the first order, in which its event surely begins to wait. */
  private static final int FIRST_PAUSE_MS = 2_500;

  private static final int FIRST_POLL_MS = 200;

  /** One of so many orders is for all events of a user. */
  private static final int WHOLE_USER_IN = 6;

  private final Transport transport;
  private final Supplier<List<Described>> waiting;
  private final CancelLog log;
  private final SplittableRandom random;
  private final Thread thread = new Thread(this::run, "canceller");
  private volatile boolean over;
  private long made;

  // Exception that ended the thread; read by other threads only after its end.
  private Exception failure;

  /** Way in which an order reaches Sluice. */
  interface Transport {
    /**
     * Gives an order, which may have an effect even if it is not published for sure.
     *
     * @param published is to be called as soon as the broker has the order
     */
    void cancel(CancelRequest order, Runnable published) throws InterruptedException;
  }

  /**
   * @param waiting returns events that were published in the last time and probably wait
   */
  Canceller(
      Transport transport,
      Supplier<List<Described>> waiting,
      CancelLog log,
      SplittableRandom random) {
    this.transport = transport;
    this.waiting = waiting;
    this.log = log;
    this.random = random;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      cancelFirst();
      while (!over) {
        Waiting.pass(random.nextInt(MOST_PAUSE_MS));
        if (!over) cancelNext();
      }
    } catch (InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  /** Cancels the latest event of the first ones, which is at the end of a long line. */
  private void cancelFirst() throws InterruptedException {
    List<Described> all = List.of();
    while (!over && all.isEmpty()) {
      Waiting.pass(FIRST_POLL_MS);
      all = waiting.get();
    }
    if (all.isEmpty()) return;
    Waiting.pass(FIRST_PAUSE_MS);
    cancel(all.get(all.size() - 1), false);
  }

  /** Cancels a random event, or all of its user. */
  void cancelNext() throws InterruptedException {
    List<Described> all = waiting.get();
    if (all.isEmpty()) return;
    Described event = all.get(random.nextInt(all.size()));
    cancel(event, random.nextInt(WHOLE_USER_IN) == 0);
  }

  private void cancel(Described event, boolean wholeUser) throws InterruptedException {
    CancelRequest order = new CancelRequest(++made, event.user(), wholeUser ? "" : event.id());
    log.given(order, System.currentTimeMillis());
    transport.cancel(order, () -> log.published(order, System.currentTimeMillis()));
  }

  /** Gives no more orders, and returns when the last one has been given. */
  void stop() throws InterruptedException {
    over = true;
    thread.join();
    if (failure != null) throw new IllegalStateException("cancelling failed", failure);
  }
}
