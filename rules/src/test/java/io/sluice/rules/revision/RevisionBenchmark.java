package io.sluice.rules.revision;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.TestEvent;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Measures overrides of one user each: their size on the heap, the time to parse and combine them,
 * and the cost of a lookup and of one more change. The arguments are their number, and the number
 * of different quotas.
 */
final class RevisionBenchmark {
  private static final int LOOKUPS = 2_000_000;
  private static final int EVENTS = 1 << 16;
  private static final int MOST_OVER_TIME = 5_000;
  private static final long NOW_MS = Given.at(1);

  private RevisionBenchmark() {}

  public static void main(String[] arguments) throws UnreadableRevisionException {
    int count = Integer.parseInt(arguments[0]);
    int quotas = Integer.parseInt(arguments[1]);
    measure(1_000, 10); // warms up the compiler
    measure(count, quotas);
  }

  private static void measure(int count, int quotas) throws UnreadableRevisionException {
    LimitsInForce none = Given.limits();
    long before = heap();
    long start = cpuNanos();
    LimitsInForce limits = none.with(read(count, quotas));
    say(count, "read and put together", (cpuNanos() - start) / 1e6, "ms");
    say(count, "heap", (heap() - before) / 1e6, "MB");
    start = cpuNanos();
    long inForce =
        limits.revisions(NOW_MS).stream()
            .filter(each -> each.standing() == RevisionStatus.Standing.IN_FORCE)
            .count();
    if (inForce != count) throw new IllegalStateException("in force: " + inForce);
    say(count, "judge all", (cpuNanos() - start) / 1e6, "ms");
    start = cpuNanos();
    for (int i = 0; i < count; i++) limits.matching(event(i), NOW_MS);
    say(count, "first lookup of each", (cpuNanos() - start) / (double) count, "ns");
    say(count, "heap, all looked up", (heap() - before) / 1e6, "MB");
    start = cpuNanos();
    limits.digest(NOW_MS);
    say(count, "digest", (cpuNanos() - start) / 1e6, "ms");
    lookups(count, limits, "lookup with overrides");
    lookups(count, none, "lookup without any");
    ofFewKeys(limits, "lookup of 10,000 keys, with overrides");
    ofFewKeys(none, "lookup of 10,000 keys, without any");
    change(count, limits);
    changeOverTime(Math.min(count, MOST_OVER_TIME));
  }

  private static void lookups(int count, LimitsInForce limits, String what) {
    Event[] events = new Event[EVENTS];
    for (int i = 0; i < EVENTS; i++) events[i] = event((int) (i * 2_654_435_761L % (2L * count)));
    long permits = 0;
    Map<String, LimitRevision> plain = new HashMap<>();
    limits
        .revisions(NOW_MS)
        .forEach(each -> plain.put(each.revision().scope().key(), each.revision()));
    for (int round = 0; round < 3; round++) {
      long start = cpuNanos();
      for (int i = 0; i < LOOKUPS; i++) {
        Event event = events[i & (EVENTS - 1)];
        permits += limits.matching(event, NOW_MS).first().name().length();
      }
      if (round == 2) say(count, what, (cpuNanos() - start) / (double) LOOKUPS, "ns");
    }
    for (int round = 0; round < 3; round++) {
      long start = cpuNanos();
      for (int i = 0; i < LOOKUPS; i++) {
        LimitRevision found = plain.get(events[i & (EVENTS - 1)].userId());
        if (found != null) permits += found.effectiveAtMs();
      }
      String yardstick = what + ", and a plain HashMap of as many";
      if (round == 2) say(count, yardstick, (cpuNanos() - start) / (double) LOOKUPS, "ns");
    }
    if (permits == 0) throw new IllegalStateException("nothing was asked");
  }

  private static void ofFewKeys(LimitsInForce limits, String what) {
    Event[] events = new Event[10_000];
    for (int i = 0; i < events.length; i++) events[i] = event(i);
    long permits = 0;
    for (int round = 0; round < 5; round++) {
      long start = cpuNanos();
      for (int i = 0; i < LOOKUPS; i++) {
        permits += limits.matching(events[i % events.length], NOW_MS).first().name().length();
      }
      if (round == 4) say(events.length, what, (cpuNanos() - start) / (double) LOOKUPS, "ns");
    }
    if (permits == 0) throw new IllegalStateException("nothing was asked");
  }

  private static void change(int count, LimitsInForce limits) {
    LimitsInForce changed = limits;
    long start = cpuNanos();
    for (int i = 0; i < 1_000; i++) {
      changed =
          changed.with(
              Given.revision(
                  "change" + i,
                  1,
                  "{'limit':'reply','for':{'userId':'c" + i + "'},'set':{'quota':'9/60s'}}"));
    }
    say(count, "one more override", (cpuNanos() - start) / 1e3 / 1_000, "us");
    start = cpuNanos();
    for (int i = 0; i < 100; i++) {
      changed =
          changed.with(
              Given.revision(
                  "whole", 1, "{'limit':'reply','set':{'quota':'" + (i + 1) + "/60s'}}"));
      changed.treatedLimit("reply", event(0), NOW_MS);
    }
    say(count, "one change of the limit as a whole", (cpuNanos() - start) / 1e3 / 100, "us");
  }

  /** Measures one more change of a limit that has changed at many instants. */
  private static void changeOverTime(int count) {
    List<LimitRevision> many = new ArrayList<>(count);
    for (int i = 0; i < count; i++) many.add(quota(i));
    LimitsInForce changed = Given.limits().with(many);
    long start = cpuNanos();
    for (int i = 0; i < 100; i++) changed = changed.with(quota(count + i));
    if (changed.at(Given.at(count)).all().isEmpty()) throw new IllegalStateException("no limits");
    say(count, "one more of as many changes over time", (cpuNanos() - start) / 1e6 / 100, "ms");
  }

  private static LimitRevision quota(int number) {
    String quota = "{'limit':'reply','set':{'quota':'" + (number + 1) + "/60s'}}";
    return Given.revision("quota" + number, number, quota);
  }

  private static List<LimitRevision> read(int count, int quotas)
      throws UnreadableRevisionException {
    RevisionReader reader = new RevisionReader();
    List<LimitRevision> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String id = new UUID(i * 0x9E3779B97F4A7C15L, i).toString();
      String json =
          "{\"id\":\""
              + id
              + "\",\"limit\":\"reply\",\"for\":{\"userId\":\"user-"
              + i
              + "\"},\"effectiveAt\":"
              + (Given.START_MS + i % 1_000)
              + ",\"set\":{\"quota\":\""
              + (1 + i % quotas)
              + "/60s\"},\"by\":\"ada\",\"note\":\"plan\"}";
      all.add(reader.ofRecord(id.getBytes(UTF_8), json.getBytes(UTF_8), 0));
    }
    return all;
  }

  private static Event event(int user) {
    return TestEvent.event("user-" + user, "reply", "target");
  }

  /** Returns the CPU time of this thread, which other work does not affect. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 4; i++) System.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void say(int count, String what, double figure, String unit) {
    System.out.printf(Locale.ROOT, "%,d: %s %.1f %s%n", count, what, figure, unit);
  }
}
