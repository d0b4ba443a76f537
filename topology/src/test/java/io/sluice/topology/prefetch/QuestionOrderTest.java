package io.sluice.topology.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.topology.redis.PendingVerdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the order in which servers are asked, with threads that run when the test says so. */
class QuestionOrderTest {
  private final Queue<Runnable> runnable = new ArrayDeque<>();
  private final QuestionOrder turns = new QuestionOrder(runnable::add);
  private final Map<Integer, String> servers = new HashMap<>();
  private final Map<PendingVerdict, Integer> places = new HashMap<>();
  private final List<List<Integer>> asked = new ArrayList<>();

  private CompletableFuture<Void> poll(int... ofPlaces) {
    List<PendingVerdict> questions = Arrays.stream(ofPlaces).mapToObj(this::question).toList();
    return turns.take(questions, this::routeOf, this::ask);
  }

  private PendingVerdict question(int place) {
    PendingVerdict question =
        new PendingVerdict(
            0, List.of(), Request.of(new Arrival("", 1, 0), List.of()), Duplicates.REJECT);
    places.put(question, place);
    return question;
  }

  private Route routeOf(PendingVerdict question) {
    int place = places.get(question);
    return new Route(place, servers.get(place));
  }

  private void ask(List<PendingVerdict> questions) {
    asked.add(questions.stream().map(places::get).toList());
  }

  private void serves(String server, int... places) {
    Arrays.stream(places).forEach(place -> servers.put(place, server));
  }

  private void run() {
    runnable.remove().run();
  }

  @Test
  void aServerThatIsSilentKeepsNoOtherFromTheNextPoll() {
    serves("a", 1, 2);
    serves("b", 3, 4);
    CompletableFuture<Void> first = poll(1, 3, 2, 4);
    Runnable silent = runnable.remove();
    CompletableFuture<Void> second = poll(2, 4, 3, 4);
    run();
    assertThat(runnable).as("the next of b").hasSize(1);
    run();
    assertThat(asked).containsExactly(List.of(3, 4), List.of(4, 3, 4));
    assertThat(first).isNotDone();
    silent.run();
    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    run();
    assertThat(second).isCompleted();
    assertThat(asked.subList(2, 4)).containsExactly(List.of(1, 2), List.of(2));
    assertThat(runnable).isEmpty();
  }

  @Test
  void questionsForAPlaceThatMovesWaitForThoseBefore() {
    serves("a", 1, 2);
    serves("b", 3);
    poll(1, 2);
    Runnable silent = runnable.remove();
    serves("b", 2);
    poll(3, 2);
    assertThat(runnable).isEmpty();
    silent.run();
    run();
    assertThat(asked).containsExactly(List.of(1, 2), List.of(3, 2));
  }

  @Test
  void aPlaceThatMovesWithinAPollIsAskedAboutInOneGo() {
    Queue<String> moving = new ArrayDeque<>(List.of("a", "b"));
    turns.take(List.of(question(1), question(1)), each -> new Route(1, moving.remove()), this::ask);
    run();
    assertThat(runnable).isEmpty();
    assertThat(asked).containsExactly(List.of(1, 1));
  }

  @Test
  void aFailureLeavesItsQuestionsAndEndsNobodysTurn() {
    serves("a", 1);
    CompletableFuture<Void> failing =
        turns.take(
            List.of(question(1)),
            this::routeOf,
            questions -> {
              throw new StackOverflowError();
            });
    CompletableFuture<Void> next = poll(1);
    run();
    run();
    assertThat(failing).isCompleted();
    assertThat(next).isCompleted();
    assertThat(asked).containsExactly(List.of(1));
  }

  @Test
  void nothingToAskIsNothingToWaitFor() {
    assertThat(poll()).isCompleted();
    assertThat(runnable).isEmpty();
  }
}
