package io.sluice.topology.queue;

import io.sluice.limiter.Identity;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.queue.Gate.Refusal;
import io.sluice.topology.queue.Gates.Candidate;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the index of events in line: memory of a waiting event and of a line, time to build the
 * index from rows, and the time of a release with many lines behind one gate. Not a test; run its
 * main method, with 2 GB of heap for a million events.
 */
public final class QueueBenchmark {
  private static final long VENDOR = 1;
  private static final long INTERVAL_MICROS = 1_000;

  private final Map<Long, byte[]> rows = new HashMap<>();
  private final QueueIndex index =
      new QueueIndex(
          QueueOrder.ARRIVAL,
          number ->
              Optional.ofNullable(rows.get(number)).map(row -> QueuedEvent.waiting(number, row)));
  private final int events;
  private final int lines;

  private QueueBenchmark(int events, int lines) {
    this.events = events;
    this.lines = lines;
  }

  public static void main(String[] args) {
    int events = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    System.out.printf("%-34s %12s %14s %12s%n", "", "bytes/event", "build, s", "release, us");
    for (int round = 0; round < 3; round++) {
      new QueueBenchmark(events, events).run("an event in each of many lines");
      new QueueBenchmark(events, events).refuseEach();
      new QueueBenchmark(events, events / 1_000).run("1,000 events in each line");
    }
  }

  private WaitingEvent waiting(long number) {
    long line = number % lines;
    Place place =
        new Place(10 + line, 0, 0, List.of("vendor", "phone"), List.of(VENDOR, 1_000 + line));
    return new WaitingEvent(
        number, 0, 0, 1, 86_400_000, new Identity(number, 0, false), true, place);
  }

  private void run(String title) {
    for (long number = 0; number < events; number++)
      rows.put(number, QueuedEvent.row(waiting(number), new byte[0]));
    long before = used();
    long started = System.nanoTime();
    index.add(QueuedEvent.waiting(0, rows.get(0L)), List.of(new Refusal(VENDOR, 1_000_000)), 1);
    for (long number = 1; number < events; number++)
      index.add(QueuedEvent.waiting(number, rows.get(number)), 1);
    double buildS = (System.nanoTime() - started) / 1e9;
    double bytes = (used() - before) / (double) events;
    int releases = Math.min(events, 200_000);
    started = System.nanoTime();
    long nowMicros = 1_000_000;
    for (int i = 0; i < releases; i++) release(nowMicros += INTERVAL_MICROS);
    double releaseUs = (System.nanoTime() - started) / 1e3 / releases;
    System.out.printf(Locale.ROOT, "%-34s %12.0f %14.2f %12.2f%n", title, bytes, buildS, releaseUs);
  }

  /** Adds lines that wait at gates of their own, because the limit of each has refused it. */
  private void refuseEach() {
    for (long number = 0; number < events; number++)
      rows.put(number, QueuedEvent.row(waiting(number), new byte[0]));
    long before = used();
    long started = System.nanoTime();
    for (long number = 0; number < events; number++) {
      List<Refusal> refusals = List.of(new Refusal(1_000 + number, 60_000_000 + number));
      index.add(QueuedEvent.waiting(number, rows.get(number)), refusals, 1);
    }
    double buildS = (System.nanoTime() - started) / 1e9;
    double bytes = (used() - before) / (double) events;
    System.out.printf(
        Locale.ROOT, "%-34s %12.0f %14.2f%n", "each line at a gate of its own", bytes, buildS);
  }

  /** Releases one event, and has the next one refused. */
  private void release(long nowMicros) {
    index.gates().open(nowMicros);
    Candidate candidate = index.gates().take(1, nowMicros).get(0);
    WaitingEvent head =
        QueuedEvent.waiting(candidate.line().head(), rows.remove(candidate.line().head()));
    index.left(candidate, head, true, nowMicros);
    for (Candidate next : index.gates().take(1, nowMicros)) {
      Refusal refusal = new Refusal(VENDOR, nowMicros + INTERVAL_MICROS);
      index.gates().refused(next, List.of(refusal), nowMicros);
    }
  }

  private static long used() {
    for (int i = 0; i < 3; i++) System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
