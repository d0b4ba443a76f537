package io.sluice.topology.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A time in which stream threads die: it begins with a failure, and is over when all threads have
 * run for a while and commit what they do. Not thread-safe.
 */
final class Trouble {
  /*
   * That a thread runs again says little. A record that ends it is met within seconds, but what is
   * sent to a topic that takes nothing fails after two minutes, in which nothing is committed. So
   * threads must have run for a while, and each commit once more after that. One that has nothing to
   * do commits nothing; then time alone decides.
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
   * @param calm how long threads must run until it may be over
   */
  Trouble(Instant begun, Failure first, Duration calm) {
    this.begun = begun;
    this.calm = calm;
    last = begun;
    failure = first;
  }

  /** Takes note of a thread that has died; returns whether this is the first time that so. */
  boolean failed(Failure again, Instant now) {
    last = now;
    failure = again;
    times++;
    stopped();
    return kinds.add(again.kind());
  }

  /**
   * How long the next thread is to wait: as long as it has lasted already, within bounds. A failure
   * that was one costs nothing, and one that goes on is not met again at once.
   */
  Duration untilReplaced() {
    Duration lasted = Duration.between(begun, last);
    return lasted.compareTo(LONGEST_WAIT) < 0 ? lasted : LONGEST_WAIT;
  }

  /** Takes note that not all threads run. */
  void stopped() {
    runningSince = Optional.empty();
    commitsWhenCalm = Map.of();
  }

  /** Takes note that all threads run; returns whether it is over. */
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

  /** Whether it lasts so long that only a new start may help. */
  boolean isLasting() {
    return times >= MANY
        && !failure.isAnOutage()
        && Duration.between(begun, last).compareTo(MOST_PATIENCE) >= 0;
  }

  /** What is said about it while it lasts. */
  String line() {
    return "%s stopped a stream thread %s"
        .formatted(
            failure.line(), times == 1 ? "" : "again, " + times + " times in " + duration(last));
  }

  /** What is said about it when it is over. */
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
