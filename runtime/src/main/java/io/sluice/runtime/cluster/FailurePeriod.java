package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Period in which stream threads fail. It begins with a failure, and ends when all threads have run
 * for a while and have committed. Not thread-safe.
 */
final class FailurePeriod {
  /*
   * A running thread alone proves little. A bad record ends it within seconds, but a send to a
   * topic that accepts nothing fails after two minutes, during which nothing is committed. So
   * threads must have run for a while, and each must then commit once more. A thread without input
   * commits nothing; then only the time counts.
   */
  static final Duration CALM = Duration.ofMinutes(1);

  private static final Duration CALM_WITHOUT_COMMITS = Duration.ofMinutes(5);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration MOST_PATIENCE = Duration.ofMinutes(5);
  private static final int MANY = 3;

  private final Instant begun;
  private final Duration calm;
  private final Set<Class<?>> kinds = new HashSet<>();
  private Instant last;
  private Failure failure;
  private int times;
  private Optional<Instant> runningSince = Optional.empty();
  private Map<String, Double> commitsWhenCalm = Map.of();

  /**
   * Begins a period with its first failure.
   *
   * @param calm shortest time that all threads must run before the period can end
   */
  FailurePeriod(Instant begun, Failure first, Duration calm) {
    this.begun = begun;
    this.calm = calm;
    last = begun;
    failure = first;
  }

  /** Records the failure of a thread; returns whether this kind of failure is new in the period. */
  boolean failed(Failure again, Instant now) {
    last = now;
    failure = again;
    times++;
    stopped();
    return kinds.add(again.kind());
  }

  /**
   * Wait before a failed thread is replaced: as long as the period has lasted, at most 30 s. So a
   * single failure costs no time, and a lasting one is not repeated at once.
   */
  Duration untilReplaced() {
    Duration lasted = Duration.between(begun, last);
    return lasted.compareTo(LONGEST_WAIT) < 0 ? lasted : LONGEST_WAIT;
  }

  /** Records that not all threads run. */
  void stopped() {
    runningSince = Optional.empty();
    commitsWhenCalm = Map.of();
  }

  /** Records that all threads run; returns whether the period is over. */
  boolean isOver(StreamThreads threads, Instant now) {
    if (runningSince.isEmpty()) runningSince = Optional.of(now);
    Duration running = Duration.between(runningSince.get(), now);
    if (running.compareTo(CALM_WITHOUT_COMMITS) >= 0) return true;
    if (running.compareTo(calm) < 0) return false;
    Map<String, Double> commits = threads.commits();
    if (!commits.keySet().equals(commitsWhenCalm.keySet())) {
      commitsWhenCalm = Map.copyOf(commits);
      return false;
    }
    return commitsWhenCalm.entrySet().stream()
        .allMatch(before -> commits.get(before.getKey()) > before.getValue());
  }

  /** Whether the failures have lasted so long that only a restart of the instance may help. */
  boolean isLasting() {
    return times >= MANY
        && !failure.isAnOutage()
        && Duration.between(begun, last).compareTo(MOST_PATIENCE) >= 0;
  }

  /** Description of the last failure and the number of failures, while the period lasts. */
  String line() {
    return "%s stopped a stream thread%s"
        .formatted(
            failure.line(), times == 1 ? "" : " again, " + times + " times in " + duration(last));
  }

  /** Description of the period when it is over. */
  String pastLine() {
    return "all stream threads run again: %d %s replaced, for %s, after %s"
        .formatted(
            times,
            times == 1 ? "was" : "were",
            duration(runningSince.orElse(last)),
            failure.line());
  }

  private String duration(Instant until) {
    long seconds = Duration.between(begun, until).toSeconds();
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
  }
}
