package io.sluice.guarantees.promise;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.evidence.Read;
import io.sluice.guarantees.evidence.Revisions.Span;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;

/**
 * Guarantee that a replay of the same input by a new application, with other timing, gives the same
 * verdicts and headers to every key whose events are in one input partition. Events that may wait
 * in line are excluded, because they are judged by the wall clock.
 */
final class SameAgain implements Guarantee {
  /**
   * Maximum time in milliseconds from the publication of an event until an idle instance reads it.
   */
  private static final long ON_ITS_WAY_MS = 500;

  /**
   * Time in milliseconds after its publication by which an event has been processed, unless the
   * broker goes down before.
   */
  private static final long SETTLED_MS = 5_000;

  private static final int MANY_RETRIED = 200;

  /**
   * Parts of the error text of a dead letter that depend on the time of processing: how far ahead a
   * time is, and whether a registry was asked for an unknown schema or had just been asked too
   * often.
   */
  private static final Pattern OF_THE_MOMENT =
      Pattern.compile("-?[0-9]+ ms in the future|(?<=^schema [0-9]{1,10} is ).*");

  private record Key(String action, String user) {
    static Key of(Kept input) {
      return new Key(input.event().action(), input.event().user());
    }
  }

  /**
   * Kind of the output topic in which an input record ended, and Sluice's headers of the output as
   * one text.
   */
  private record End(String topic, String headers) {}

  @Override
  public String weakened(Modes modes) {
    if (!modes.exactlyOnce()) return "at least once, what is metered again may get another answer";
    if (modes.wallClock()) return "the wall clock goes on";
    return switch (modes.withoutRedis()) {
      case WAIT -> "";
      case STATE_STORE -> "not for limits in Redis, which were counted elsewhere without it";
      default -> "not for keys with a verdict given without Redis";
    };
  }

  @Override
  public long cases(History history) {
    return history.modes().areRepeatable() ? covered(history).size() : 0;
  }

  @Override
  public Stream<String> violations(History history) {
    if (!history.modes().areRepeatable()) return Stream.of();
    Map<Long, List<End>> first = ends(history.allowed(), history.rejected(), history.deadLetters());
    Read read = history.again();
    Map<Long, List<End>> again = ends(read.allowed(), read.rejected(), read.deadLetters());
    List<Kept> covered = covered(history);
    Stream<String> differences =
        covered.stream()
            .flatMap(
                input ->
                    difference(
                        input,
                        first.getOrDefault(input.number(), List.of()),
                        again.getOrDefault(input.number(), List.of())));
    return Stream.concat(differences, retriesLeftOut(history, covered));
  }

  /** Returns a violation if there were many retried events and this check covers none of them. */
  private static Stream<String> retriesLeftOut(History history, List<Kept> covered) {
    long retried = history.inputs().stream().filter(input -> isRetried(history, input)).count();
    boolean any = covered.stream().anyMatch(input -> isRetried(history, input));
    return any || retried < MANY_RETRIED
        ? Stream.of()
        : Stream.of("none of " + retried + " events that were metered again is covered");
  }

  private static boolean isRetried(History history, Kept input) {
    return !history.announcements().retriesAtMs(input).isEmpty();
  }

  private static Stream<String> difference(Kept input, List<End> first, List<End> again) {
    if (first.equals(again)) return Stream.of();
    return Stream.of(input + " came to " + first + ", and replayed to " + again);
  }

  private static Map<Long, List<End>> ends(
      List<Kept> allowed, List<Kept> rejected, List<Kept> deadLetters) {
    Map<Long, List<End>> ends = new HashMap<>();
    add(ends, "allowed", allowed);
    add(ends, "rejected", rejected);
    add(ends, "dead", deadLetters);
    return ends;
  }

  private static void add(Map<Long, List<End>> ends, String topic, List<Kept> records) {
    for (Kept each : records) {
      ends.computeIfAbsent(each.number(), absent -> new ArrayList<>(1))
          .add(new End(topic, headers(each)));
    }
  }

  private static String headers(Kept end) {
    List<String> headers = new ArrayList<>();
    for (Header header : end.record().headers()) {
      if (!header.key().startsWith(Verdicts.PREFIX)) continue;
      String text = header.value() == null ? "" : new String(header.value(), UTF_8);
      headers.add(header.key() + "=" + OF_THE_MOMENT.matcher(text).replaceAll("..."));
    }
    headers.sort(Comparator.comparing(header -> header.substring(0, header.indexOf('='))));
    return String.join(", ", headers);
  }

  /** Returns the input records for which the replay must give the same result. */
  private static List<Kept> covered(History history) {
    Answers answers = new Answers(history);
    Map<Key, List<Kept>> byKey = history.inputs().stream().collect(Collectors.groupingBy(Key::of));
    return byKey.values().stream()
        .filter(inputs -> isCovered(history, answers, inputs))
        .flatMap(inputs -> certain(history, inputs))
        .toList();
  }

  private static boolean isCovered(History history, Answers answers, List<Kept> inputs) {
    String action = inputs.get(0).event().action();
    Limits limits = history.limits();
    // Events that may wait in line are judged by the wall clock, which goes on in the replay.
    if (limits.isShared(action) || QueueLimits.isFor(action)) return false;
    boolean changes = ChangingLimits.ALL.contains(action);
    if (limits.of(action).isEmpty() && !changes) return true;
    if (inputs.stream().map(Kept::place).distinct().count() > 1) return false;
    if (changes && !inputs.stream().allMatch(answers::isSure)) return false;
    boolean inRedis = limits.isInRedis(action) || action.equals(ChangingLimits.IN_REDIS);
    return !inRedis || isAllByRedis(history, inputs);
  }

  /**
   * Returns those input records of a key whose result does not depend on an uncertain record of the
   * key.
   */
  private static Stream<Kept> certain(History history, List<Kept> inputs) {
    List<Kept> uncertain = inputs.stream().filter(input -> isUncertain(history, input)).toList();
    if (history.limits().retries(inputs.get(0).event().action()))
      return inOrder(history, inputs, uncertain);
    return uncertain.isEmpty() ? inputs.stream() : Stream.of();
  }

  /**
   * Whether the result of an input record depends on other keys, or on more than Sluice's
   * decisions.
   */
  private static boolean isUncertain(History history, Kept input) {
    if (input.event().isPoison()) return false;
    return input.event().kind() == Described.Kind.EITHER
        || input.event().isOdd()
        || history.endsAsDeadLetter(input); // by a shrunk topic, unlike the replay's
  }

  /**
   * Returns those input records of a key with retries that are metered before the order of metering
   * may differ in the replay. The replay has all events at once and meters an event before every
   * retry with a later due time; in the first run, the retry was metered before the event if the
   * event arrived too late.
   */
  static Stream<Kept> inOrder(History history, List<Kept> inputs, List<Kept> uncertain) {
    long offset = uncertain.stream().mapToLong(Kept::offset).min().orElse(Long.MAX_VALUE);
    long dueMs =
        uncertain.stream()
            .mapToLong(input -> input.event().publishedAtMs())
            .min()
            .orElse(Long.MAX_VALUE);
    for (Kept retried : inputs) {
      for (long atMs : history.announcements().retriesAtMs(retried)) {
        for (Kept other : inputs) {
          if (other.equals(retried) || !isTooLate(history, other, atMs)) continue;
          offset = Math.min(offset, other.offset());
          dueMs = Math.min(dueMs, atMs);
        }
      }
    }
    long endOffset = offset;
    long endMs = dueMs;
    return inputs.stream()
        .filter(input -> input.offset() < endOffset)
        .filter(
            input ->
                history.announcements().retriesAtMs(input).stream().allMatch(at -> at < endMs));
  }

  private static boolean isTooLate(History history, Kept input, long dueMs) {
    Described event = input.event();
    if (event.occurredAtMs() >= dueMs) return false;
    // The broker gets an event at its time of publishing, or later if the broker is down.
    long publishedAtMs = event.publishedAtMs();
    Span onItsWay = new Span(publishedAtMs, Math.min(dueMs, settledAtMs(history, publishedAtMs)));
    return publishedAtMs >= dueMs - ON_ITS_WAY_MS
        || history.revisions().brokerGone().stream()
            .anyMatch(gone -> gone.fromMs() <= dueMs && gone.touches(onItsWay));
  }

  /**
   * Returns the time by which an event was surely processed, unless the broker went down before;
   * frozen instances delay it.
   */
  private static long settledAtMs(History history, long publishedAtMs) {
    Span usual = new Span(publishedAtMs, publishedAtMs + SETTLED_MS);
    return history.revisions().frozen().stream()
        .filter(usual::touches)
        .mapToLong(frozen -> frozen.toMs() + SETTLED_MS)
        .reduce(usual.toMs(), Math::max);
  }

  private static boolean isAllByRedis(History history, List<Kept> inputs) {
    if (history.modes().withoutRedis() == Modes.WithoutRedis.STATE_STORE) return false;
    return inputs.stream()
        .map(history::endsOf)
        .flatMap(List::stream)
        .noneMatch(Kept::isWithoutRedis);
  }
}
