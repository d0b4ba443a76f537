package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.FaultLog.Ending;
import io.sluice.guarantees.evidence.FaultLog.Shrunk;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds out which events must, or may, end as dead letters or by a limit's policy, because of a
 * fault in the run.
 */
final class DueEndings {
  /*
   * Size in the error text of a dead letter. Each time the topic of allowed events is shrunk, it
   * gets a new maximum size, and a dead letter names the size for which the event was too large: so
   * the size identifies the fault. It must not be a size that the topic never had. Before an
   * instance knows the size, it only knows that the topic refused a record; then the event must
   * have been published while the topic was small, or before.
   */
  private static final Pattern SIZE =
      Pattern.compile("for " + Topics.FIRST.allowed() + ": its max\\.message\\.bytes is (\\d+)");

  private static final Pattern REFUSED =
      Pattern.compile("for " + Topics.FIRST.allowed() + ": it has refused a record of \\d+ bytes");

  /**
   * Maximum time in milliseconds from the publication of an event until it ends, while other faults
   * happen.
   */
  private static final long MOST_WAITING_MS = 180_000;

  /**
   * Maximum time in milliseconds in which an instance learns the topic's size after a refusal, even
   * if the broker is down meanwhile.
   */
  private static final long MOST_LEARNING_MS = 30_000;

  private final History history;
  private final List<Shrunk> shrunk;

  DueEndings(History history) {
    this.history = history;
    shrunk = history.faults().shrunk();
  }

  /** Returns violations: events that did not end as their fault requires. */
  Stream<String> missed() {
    return history.inputs().stream()
        .flatMap(
            input ->
                history.faults().ending(input).stream()
                    .filter(due -> history.endsOf(input).stream().noneMatch(end -> is(due, end)))
                    .map(due -> missed(input, due)));
  }

  private String missed(Kept input, Ending due) {
    List<String> ends =
        history.endsOf(input).stream()
            .map(end -> end.at() + " " + end.header(Verdicts.ERROR))
            .toList();
    return input + " did not end as one whose fault was " + due + ", but at " + ends;
  }

  private boolean is(Ending due, Kept end) {
    return switch (due) {
      case TOO_LARGE -> isOutgrown(end);
      case UNREADABLE_COUNT -> isUncounted(end);
    };
  }

  /**
   * Whether an event whose key in Redis was of another type ended as it must: by its limit's policy
   * for an unavailable Redis, which applies at the first error, or as a dead letter that names the
   * key.
   */
  private boolean isUncounted(Kept end) {
    boolean dead = end.topic().equals(Topics.FIRST.deadLetters());
    boolean rejected = end.topic().equals(Topics.FIRST.rejected());
    return switch (history.modes().withoutRedis()) {
      case WAIT -> dead && end.header(Verdicts.ERROR).contains(end.event().user());
      case REJECT -> rejected && end.isWithoutRedis();
      case ALLOW, STATE_STORE -> !dead && !rejected && end.isWithoutRedis();
    };
  }

  /** Whether an output record is a dead letter because the topic of allowed events was shrunk. */
  boolean isOutgrown(Kept end) {
    String error = end.header(Verdicts.ERROR);
    Optional<Long> size = size(error);
    if (size.isPresent()) return shrunk.stream().anyMatch(each -> each.bytes() == size.get());
    long publishedAtMs = end.event().publishedAtMs();
    return REFUSED.matcher(error).find()
        && shrunk.stream()
            .anyMatch(
                each ->
                    publishedAtMs > each.fromMs() - MOST_WAITING_MS
                        && publishedAtMs < each.toMs() + MOST_LEARNING_MS);
  }

  /**
   * Returns a violation if a dead letter names a size that the topic of allowed events never had.
   */
  Optional<String> untrue(Kept end) {
    return size(end.header(Verdicts.ERROR))
        .filter(size -> size != Topics.DEFAULT_BYTES)
        .filter(size -> shrunk.stream().noneMatch(each -> each.bytes() == size))
        .map(size -> end + " names " + size + " bytes, a size that the topic never had");
  }

  private static Optional<Long> size(String error) {
    Matcher size = SIZE.matcher(error);
    return size.find() ? Optional.of(Long.parseLong(size.group(1))) : Optional.empty();
  }
}
