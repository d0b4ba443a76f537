package io.sluice.limiter.async;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** Timer and clock whose time stands still until a test moves it. */
final class HandMovedTimer implements Timer, InstantSource {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparing(Task::number));
  private long nanos = Long.MAX_VALUE - 1_000_000_000; // overflows soon, as it may
  private long number;

  private record Task(long atNanos, long number, Runnable task) {}

  private long start() {
    return Long.MAX_VALUE - 1_000_000_000;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public synchronized Instant instant() {
    return START.plusNanos(nanos - start());
  }

  @Override
  public synchronized Runnable after(long delayNanos, Runnable task) {
    if (delayNanos < 0) throw new IllegalArgumentException("a delay of " + delayNanos);
    Task added = new Task(nanos - start() + delayNanos, number++, task);
    tasks.add(added);
    return () -> remove(added);
  }

  private synchronized void remove(Task task) {
    tasks.remove(task);
  }

  /** Moves time forward, and runs the tasks that become due, each at its instant. */
  void advanceMicros(long micros) {
    long end = nanos() - start() + TimeUnit.MICROSECONDS.toNanos(micros);
    for (Task due = next(end); due != null; due = next(end)) due.task.run();
    moveTo(end);
  }

  private synchronized Task next(long end) {
    Task first = tasks.peek();
    if (first == null || first.atNanos > end) return null;
    moveTo(Math.max(first.atNanos, nanos - start()));
    return tasks.poll();
  }

  private synchronized void moveTo(long sinceStart) {
    nanos = start() + sinceStart;
  }

  /** Returns the number of waiting tasks. */
  synchronized int size() {
    return tasks.size();
  }
}
