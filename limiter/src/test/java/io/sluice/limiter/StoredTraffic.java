package io.sluice.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.filter.FilterSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Traffic that brings every algorithm into every kind of stored state: used, reserved, blocked,
 * counting attempts, changed by revisions, reset, and charged by late arrivals. The files in {@code
 * golden} have the state that each release stored for it, and the answers that it gave afterwards.
 */
public final class StoredTraffic {
  /** Release whose stored formats this build writes. */
  public static final String RELEASE = "0.3.0";

  public static final long NOON_MICROS = 1_790_000_000_000_000L;
  private static final long STEP_MICROS = 100_000;
  private static final long LATE_MICROS = 40_000_000;
  private static final long HOUR_MICROS = 3_600_000_000L;
  private static final int LONG = 150;
  private static final int SHORT = 6;

  /** Numbers of the arrivals that come after the state is stored. */
  private static final int[] THEN = {3, 5, 6, 7, 8, 20, 80, 700, 9_000};

  private StoredTraffic() {}

  /** Returns every algorithm in every way in which it can be used; names are unique. */
  public static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (Algorithm each : Algorithm.values()) {
      Rule plain = plain(each);
      Quota quota = plain.quota();
      rules.add(named(plain, "plain"));
      rules.add(named(plain, "late"));
      rules.add(named(plain, "anew").changing(List.of(new Change.Reset(at(3)))));
      Quota other = each.admitsOnce() ? Quota.parse("1/10m") : Quota.parse("9/90s");
      rules.add(named(plain, "revised").changing(List.of(new Change.Numbers(at(3), other, 0))));
      if (!each.admitsOnce()) rules.add(named(plain.blocking(HOUR_MICROS), "blocking"));
      if (each.canReserve()) rules.add(named(plain.with(quota, 48 * HOUR_MICROS, 0), "waiting"));
      if (each.canCountAttempts()) rules.add(attempts(plain));
      if (each.keepsArrivals() || each.admitsOnce()) rules.add(longOne(plain));
    }
    return rules;
  }

  private static Rule plain(Algorithm algorithm) {
    if (algorithm.admitsOnce()) {
      return Rule.policing("x", Quota.parse("1/60s"), algorithm).with(new FilterSize(10, 0.01));
    }
    if (algorithm.countsCalendarPeriods()) {
      return Rule.policing("x", Quota.of(5, CalendarUnit.DAY), algorithm)
          .in(ZoneId.of("Europe/Berlin"));
    }
    return Rule.policing(
        "x", Quota.parse(algorithm.countsDistinct() ? "2/60s" : "5/60s"), algorithm);
  }

  private static Rule named(Rule rule, String use) {
    String name = rule.algorithm().title().replace(' ', '-') + "." + use;
    return new Rule(
        name,
        rule.quota(),
        rule.algorithm(),
        rule.patienceMicros(),
        rule.blockMicros(),
        rule.countsAttempts(),
        rule.shadow(),
        rule.zone(),
        rule.filter(),
        rule.schedule());
  }

  private static Rule attempts(Rule plain) {
    String name = named(plain, "attempts").name();
    return new Rule(name, plain.quota(), plain.algorithm(), 0, true, false).in(plain.zone());
  }

  private static Rule longOne(Rule plain) {
    boolean once = plain.algorithm().admitsOnce();
    return named(once ? plain : plain.with(Quota.parse("300/60s"), 0, 0), "long");
  }

  private static long at(int i) {
    return NOON_MICROS + STEP_MICROS * i;
  }

  /**
   * One event of a limit.
   *
   * @param offset of its record, in a topic that only this limit has
   */
  public record Event(Arrival arrival, List<Bucket> buckets, long offset) {}

  /** Returns the events after which the state is stored. */
  public static List<Event> before(Rule rule) {
    int count = rule.name().endsWith(".long") ? LONG : SHORT;
    return IntStream.range(0, count).mapToObj(i -> event(rule, i, 0)).toList();
  }

  /**
   * Returns the later events: the same records again, other records of the same events, and new
   * ones.
   */
  public static List<Event> after(Rule rule) {
    List<Event> events = new ArrayList<>();
    for (int i : THEN) {
      events.add(event(rule, i, 0));
      events.add(event(rule, i, 1));
    }
    return events;
  }

  private static Event event(Rule rule, int i, int record) {
    long offset = 2L * i + record;
    Identity.Source source =
        new Identity.Source("actions-0-" + offset, "ann", NOON_MICROS / 1_000 + i, 1);
    Identity identity = Identity.of("ann", "reply", "id-" + i, source);
    boolean late = rule.name().endsWith(".late") && i % 3 == 2;
    Arrival arrival = new Arrival(identity, 1 + i % 3 / 2, at(i) - (late ? LATE_MICROS : 0));
    String key = rule.algorithm().admitsOnce() ? "ann-" + i / 2 : "ann";
    ValueHash value = ValueHash.of(List.of("value-" + i / 2));
    return new Event(arrival, List.of(new Bucket(rule, key, "ann", value)), offset);
  }

  /** Returns an outcome as text that does not depend on class names. */
  public static String text(Event event, Outcome outcome) {
    Arrival arrival = event.arrival();
    StringBuilder text = new StringBuilder(event.buckets().get(0).rule().name());
    text.append(" at ").append(afterNoon(arrival.nowMicros()));
    text.append(": ").append(outcome.kind().name().toLowerCase(Locale.ROOT));
    if (outcome.waits()) text.append(" until ").append(afterNoon(outcome.slotMicros()));
    for (Judgement each : outcome.judgements()) {
      text.append(", judged at ").append(afterNoon(each.nowMicros()));
      text.append(": ").append(text(each.decision()));
    }
    return text.toString();
  }

  private static String afterNoon(long micros) {
    return Long.toString(micros - NOON_MICROS);
  }

  private static String text(Decision decision) {
    return kind(decision)
        + ", "
        + decision.remaining()
        + " left, reset after "
        + decision.resetAfterMicros();
  }

  private static String kind(Decision decision) {
    if (decision instanceof Decision.Conforming) return "conforming";
    if (decision instanceof Decision.Known) return "known";
    if (decision instanceof Decision.Oversized) return "oversized";
    if (decision instanceof Decision.Waiting waiting) return "waits " + waiting.waitMicros();
    if (decision instanceof Decision.Blocked blocked) {
      return "blocked for " + blocked.retryAfterMicros();
    }
    return "retry after " + ((Decision.NonConforming) decision).retryAfterMicros();
  }

  /** Returns the content of a release's file; empty if there is none. */
  public static String golden(String release, String file) {
    String path = "/io/sluice/limiter/golden/" + release + "/" + file;
    try (InputStream in = StoredTraffic.class.getResourceAsStream(path)) {
      return in == null ? "" : new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares with the file of {@link #RELEASE}, and writes the content to {@code target/golden}.
   */
  public static void assertGolden(String file, String content) {
    Path written = Path.of("target", "golden", RELEASE, file);
    try {
      Files.createDirectories(written.getParent());
      Files.writeString(written, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(content.lines().toList())
        .as("%s, which is the content of golden/%s/%s now", written, RELEASE, file)
        .isEqualTo(golden(RELEASE, file).lines().toList());
  }
}
