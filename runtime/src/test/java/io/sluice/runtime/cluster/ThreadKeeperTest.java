package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.live.kafka.Failure;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.runtime.monitoring.Health;
import io.sluice.testing.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadKeeperTest {
  private static final Duration CALM = Duration.ofMinutes(1);

  private final Threads threads = new Threads();
  private final Health health = new Health();
  private final List<Failure> endings = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private final ThreadKeeper keeper =
      new ThreadKeeper(threads, () -> now, CALM, health, endings::add);

  /** Fake stream threads of an instance. */
  private static final class Threads implements StreamThreads {
    private final Map<String, Double> commits = new TreeMap<>(Map.of("one", 1.0));
    private int added;
    private boolean running = true;
    private boolean addable = true;
    private boolean makeable = true;

    @Override
    public boolean add() {
      if (!makeable) throw new KafkaException("no consumer");
      if (addable) added++;
      return addable;
    }

    @Override
    public boolean allRun() {
      return running;
    }

    @Override
    public Map<String, Double> commits() {
      return Map.copyOf(commits);
    }
  }

  @BeforeEach
  void run() {
    health.changed(State.RUNNING);
  }

  private void fail(RuntimeException e) {
    assertThatThrownBy(() -> keeper.handle(e)).hasCause(e);
  }

  private void timeOut() {
    fail(new TimeoutException("no leader"));
  }

  private void pass(Duration time) {
    now = now.plus(time);
    keeper.lookAfter();
  }

  @Test
  void theFirstFailureIsReplacedAtOnce() {
    timeOut();
    pass(Duration.ZERO);

    assertThat(threads.added).isEqualTo(1);
    assertThat(endings).isEmpty();
  }

  @Test
  void threadsThatFailTogetherAreAllReplacedAtOnce() {
    for (int i = 0; i < 8; i++) timeOut();
    pass(Duration.ZERO);

    assertThat(threads.added).isEqualTo(8);
  }

  @Test
  void whatGoesOnIsTriedAgainLessAndLessOften() {
    int added = 0;
    for (int i = 0; i < 3_600; i++) { // one check a second; each thread fails as soon as it runs
      if (threads.added > added || i == 0) {
        added = threads.added;
        timeOut();
      }
      pass(Duration.ofSeconds(1));
    }

    assertThat(threads.added).isBetween(100, 130); // one each half minute, and a few more at first
  }

  @Test
  void whatCannotBeAddedYetIsAddedLater() {
    threads.addable = false;
    timeOut();
    pass(Duration.ofSeconds(1));
    assertThat(health.ready().well()).isFalse();

    threads.addable = true;
    pass(Duration.ofSeconds(1));
    assertThat(threads.added).isEqualTo(1);
    assertThat(health.ready().well()).isTrue();
  }

  @Test
  void aThreadThatCannotBeMadeIsTriedAgainLessAndLessOften() {
    try (LogLines log = LogLines.of(ThreadKeeper.class)) {
      threads.makeable = false;
      timeOut();
      for (int i = 0; i < 100; i++) pass(Duration.ofSeconds(1));
      assertThat(log.lines()).hasSize(2); // the first failure, and that no thread can be created

      threads.makeable = true;
      pass(Duration.ofSeconds(30));
      assertThat(threads.added).isEqualTo(1);
    }
  }

  @Test
  void itIsNotReadyWhileAThreadIsMissingAndSaysWhy() {
    timeOut();
    assertThat(health.ready().well()).isFalse();
    assertThat(health.ready().says()).contains("TimeoutException: no leader");
    assertThat(health.live().well()).isTrue();

    pass(Duration.ZERO);
    assertThat(health.ready().well()).isTrue();
  }

  @Test
  void whileSomebodyIsWaitedForANewStartWouldNotHelp() {
    for (int i = 0; i < 20; i++) {
      fail(new SchemasUnavailableException("the registry does not answer"));
      pass(CALM.minusSeconds(1));
      pass(Duration.ofSeconds(1));
    }
    assertThat(health.live().well()).isTrue();
  }

  @Test
  void threadsThatDieForMinutesAreNoLifeUntilTheyRunAgain() {
    for (int i = 0; i < 7; i++) {
      assertThat(health.live().well()).as("after %s min", i).isEqualTo(i < 6);
      timeOut();
      pass(CALM.minusSeconds(1)); // all threads run for a while once a minute
      pass(Duration.ofSeconds(1));
    }
    assertThat(health.live().says()).contains("TimeoutException: no leader", "7 times in 6 min");
    assertThat(health.ready().well()).isFalse();

    pass(CALM);
    threads.commits.put("one", 2.0);
    pass(Duration.ofSeconds(1));
    assertThat(health.live().well()).isTrue();
    assertThat(health.ready().well()).isTrue();
  }

  @Test
  void aThreadThatRunsAndCommitsNothingIsNotBack() {
    timeOut();
    pass(Duration.ZERO);
    pass(CALM);
    pass(CALM);
    timeOut(); // a record sent long before

    // Two minutes into the same period of failures.
    assertThat(threads.added).isEqualTo(1);
    pass(Duration.ZERO);
    assertThat(threads.added).isEqualTo(1);
    pass(Duration.ofSeconds(30));
    assertThat(threads.added).isEqualTo(2);
  }

  @Test
  void aThreadThatHasNothingToDoIsBackAfterFiveMinutes() {
    timeOut();
    pass(Duration.ZERO);
    pass(Duration.ofMinutes(5));
    timeOut();
    pass(Duration.ZERO);

    assertThat(threads.added).isEqualTo(2); // at once, as a new period begins
  }

  @Test
  void whatNeverPassesEndsTheInstance() {
    fail(new TopicAuthorizationException("no"));
    pass(Duration.ofMinutes(1));

    assertThat(endings)
        .singleElement()
        .satisfies(
            failure -> assertThat(failure.cause()).isInstanceOf(TopicAuthorizationException.class));
    assertThat(threads.added).isZero();
  }

  @Test
  void troubleIsSaidOnceAndOnceThatItIsOver() {
    try (LogLines log = LogLines.of(ThreadKeeper.class)) {
      for (int i = 0; i < 5; i++) {
        timeOut();
        pass(Duration.ofSeconds(30));
      }
      assertThat(log.lines()).singleElement().asString().startsWith("ERROR a stream thread failed");

      threads.running = false;
      pass(Duration.ofMinutes(1)); // state is restored
      threads.running = true;
      pass(Duration.ofSeconds(1));
      pass(CALM);
      threads.commits.put("one", 2.0);
      for (int i = 0; i < 5; i++) pass(Duration.ofSeconds(1));
      assertThat(log.lines())
          .hasSize(2)
          .last()
          .isEqualTo(
              "INFO all stream threads run again: 5 were replaced, for 3 min,"
                  + " after TimeoutException: no leader");
    }
  }

  @Test
  void anotherCauseIsSaidAsWell() {
    try (LogLines log = LogLines.of(ThreadKeeper.class)) {
      timeOut();
      fail(new SchemasUnavailableException("gone"));
      timeOut();

      assertThat(log.lines()).hasSize(2);
    }
  }
}
