package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Decision.Conforming;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.async.Gatherer.Call;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which calls are sent together, with a server that answers when the test lets it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GathererTest {
  private static final Rule RULE =
      Rule.policing("reply", Quota.parse("5/60s"), Algorithm.SLIDING_WINDOW_LOG);

  /** The outcome for this number has no decision. */
  private static final int UNREADABLE = 999_999;

  private final BlockingQueue<List<Request>> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();

  /** The place of an arrival by its cost, and the server of each place. */
  private final Map<Long, Integer> places = new ConcurrentHashMap<>();

  private final Map<Integer, String> servers = new ConcurrentHashMap<>();
  private final Map<String, BlockingQueue<Runnable>> answersOf = new ConcurrentHashMap<>();
  private final Gatherer.Meter meter =
      new Gatherer.Meter() {
        @Override
        public int meter(Iterator<Request> requests, Outcomes outcomes) {
          return GathererTest.this.meter(requests, outcomes);
        }

        @Override
        public Route routeOf(Request request) {
          return GathererTest.this.routeOf(request);
        }
      };
  private final Gatherer gatherer = gathering(new Callbacks(Runnable::run));
  private final List<Gatherer> started = new ArrayList<>(List.of(gatherer));

  private Gatherer gathering(Callbacks callbacks) {
    return new Gatherer(meter, callbacks, 1_000);
  }

  private Route routeOf(Request request) {
    Integer place = places.getOrDefault(request.arrival().cost(), 0);
    return new Route(place, servers.getOrDefault(place, ""));
  }

  /** Returns each arrival's cost as the remaining permits. */
  private int meter(Iterator<Request> requests, Outcomes outcomes) {
    List<Request> all = new ArrayList<>();
    requests.forEachRemaining(all::add);
    String server = routeOf(all.get(0)).server();
    asked.add(all);
    take(answersOf.getOrDefault(server, answers)).run(); // can throw a failure
    for (int i = 0; i < all.size(); i++) {
      Decision decision = new Conforming(all.get(i).arrival().cost(), 0);
      boolean readable = all.get(i).arrival().cost() != UNREADABLE;
      List<Judgement> judgements = readable ? List.of(new Judgement(0, decision)) : List.of();
      outcomes.answered(i, new Outcome(Outcome.Kind.ADMITTED, 0, judgements));
    }
    return 1;
  }

  private static <T> T take(BlockingQueue<T> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void answer() {
    answers.add(() -> {});
  }

  private CompletableFuture<Decision> ask(int number) {
    return ask(gatherer, number);
  }

  private static CompletableFuture<Decision> ask(Gatherer by, int number) {
    return by.meter(request(number)).toCompletableFuture();
  }

  private static Request request(int number) {
    return Request.of(new Arrival("", number, 0), List.of(new Bucket(RULE, "k" + number)));
  }

  private List<Long> nextAsked() {
    return take(asked).stream().map(each -> each.arrival().cost()).toList();
  }

  @AfterEach
  void close() {
    for (int i = 0; i < 10; i++) {
      answer();
      answersOf.values().forEach(each -> each.add(() -> {}));
    }
    started.forEach(Gatherer::close);
  }

  @Test
  void whatComesMeanwhileGoesTogetherInOrder() {
    CompletableFuture<Decision> first = ask(0);
    assertThat(nextAsked()).containsExactly(0L);
    List<CompletableFuture<Decision>> rest =
        IntStream.rangeClosed(1, 700).mapToObj(this::ask).toList();
    answer();
    assertThat(nextAsked()).hasSize(500).startsWith(1L, 2L).endsWith(500L).isSorted();
    answer();
    assertThat(nextAsked()).hasSize(200).startsWith(501L).isSorted();
    answer();
    assertThat(first.join().remaining()).isZero();
    for (int i = 0; i < rest.size(); i++) {
      assertThat(rest.get(i).join().remaining()).isEqualTo(i + 1);
    }
  }

  @Test
  void aFailureEndsThoseWhoWereAskedForAndNobodyElse() {
    LimiterUnavailableException failure = new LimiterUnavailableException("gone", null);
    CompletableFuture<Decision> failing = ask(0);
    nextAsked();
    CompletableFuture<Decision> next = ask(1);
    answers.add(
        () -> {
          throw failure;
        });
    answer();
    assertThatThrownBy(failing::get).hasCause(failure);
    assertThat(next.join().remaining()).isEqualTo(1);
  }

  @Test
  void anErrorDoesNotEndTheThread() {
    CompletableFuture<Decision> failing = ask(0);
    nextAsked();
    answers.add(
        () -> {
          throw new StackOverflowError();
        });
    answer();
    assertThatThrownBy(failing::get).hasCauseInstanceOf(StackOverflowError.class);
    assertThat(ask(1).join().remaining()).isEqualTo(1);
  }

  /** Exceptions within the completion of a future would otherwise be lost. */
  @Test
  void anOutcomeThatCannotBeReadIsAFailure() {
    CompletableFuture<Decision> failing = ask(UNREADABLE);
    nextAsked();
    CompletableFuture<Decision> next = ask(1);
    answer();
    answer();
    await().until(failing::isDone);
    assertThatThrownBy(failing::get).hasCauseInstanceOf(IndexOutOfBoundsException.class);
    assertThat(next.join().remaining()).isEqualTo(1);
    await().untilAsserted(() -> assertThat(gatherer.free()).isEqualTo(1_000));
  }

  @Test
  void anAskerOutlivesWhatIsThrown() {
    BlockingQueue<Call> taken = new LinkedBlockingQueue<>();
    CallBatcher<Call> asker =
        new CallBatcher<>(
            "test",
            calls -> {
              taken.addAll(calls);
              throw new OutOfMemoryError("as a test");
            });
    for (int i = 0; i < 2; i++) {
      Call call = new Call(request(i), new Route(0, ""));
      assertThat(asker.take(call)).isTrue();
      await().until(() -> taken.contains(call));
    }
    asker.close();
    asker.awaitEnd();
  }

  @Test
  void whatIsCancelledBeforeIsNotAskedAndLaterDoesNoHarm() {
    CompletableFuture<Decision> late = ask(0);
    nextAsked();
    CompletableFuture<Decision> early = ask(1);
    CompletableFuture<Decision> other = ask(2);
    early.cancel(false);
    late.cancel(false);
    answer();
    assertThat(nextAsked()).containsExactly(2L);
    answer();
    assertThat(other.join().remaining()).isEqualTo(2);
  }

  @Test
  void noMoreMayWaitThanThereIsRoomFor() {
    CompletableFuture<Decision> underway = ask(0);
    nextAsked();
    List<CompletableFuture<Decision>> waiting =
        new ArrayList<>(IntStream.rangeClosed(1, 999).mapToObj(this::ask).toList());
    assertThatThrownBy(ask(1_000)::get)
        .hasCauseInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("1000 calls already wait for answers");
    waiting.get(0).cancel(false);
    waiting.remove(0);
    for (int i = 0; i < 3; i++) answer();
    underway.join();
    assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isNotNull());
    for (int i = 0; i < 5; i++) answer();
    await().untilAsserted(() -> assertThat(gatherer.free()).isEqualTo(1_000));
    assertThat(ask(1_001).join().remaining()).isEqualTo(1_001);
  }

  @Test
  void callbacksThatAreSlowerThanCallsDoNotPileUp() {
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    Gatherer own = gathering(new Callbacks(tasks::add));
    started.add(own);
    for (int i = 0; i < 1_000; i++) answer(); // enough if each call is asked alone
    List<CompletableFuture<Decision>> calls =
        IntStream.range(0, 1_000).mapToObj(i -> ask(own, i)).toList();
    for (int i = 0; i < calls.size(); i++) {
      assertThat(own.free()).isEqualTo(i);
      if (i == 0) assertThat(ask(own, 0)).isCompletedExceptionally();
      take(tasks).run();
    }
    assertThat(calls).allMatch(CompletableFuture::isDone);
    assertThat(own.free()).isEqualTo(1_000);
  }

  @Test
  void closingRefusesThoseWhoWaitAndAnswersThoseUnderWay() throws Exception {
    CompletableFuture<Decision> underway = ask(0);
    nextAsked();
    CompletableFuture<Decision> waiting = ask(1);
    Thread closing = new Thread(gatherer::close);
    closing.start();
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(underway).isNotDone();
    answer();
    closing.join();
    assertThat(underway).isCompleted();
    assertThatThrownBy(ask(2)::get).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void aCallbackThatBlocksHoldsUpNobodyElse() {
    ExecutorService callbacks = Executors.newFixedThreadPool(2);
    Gatherer own = gathering(new Callbacks(callbacks));
    started.add(own);
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<String> blocked =
        ask(own, 0)
            .thenApply(
                decision -> {
                  take(held);
                  return Thread.currentThread().getName();
                });
    answer();
    answer();
    assertThat(ask(own, 1).join().remaining()).isEqualTo(1);
    held.countDown();
    assertThat(blocked.join()).startsWith("pool-");
    callbacks.shutdown();
  }

  private static void take(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anExecutorThatRefusesLeavesNobodyWaitingNorTheThreadBlocked() {
    ExecutorService callbacks = Executors.newSingleThreadExecutor();
    callbacks.shutdown();
    Gatherer own = gathering(new Callbacks(callbacks));
    started.add(own);
    CompletableFuture<String> told =
        ask(own, 0).thenApply(decision -> Thread.currentThread().getName());
    answer();
    assertThat(told.join()).startsWith("ForkJoinPool");
  }

  /** Returns a queue for the answers of one server, which come when the test adds them. */
  private BlockingQueue<Runnable> answersOf(String server) {
    return answersOf.computeIfAbsent(server, name -> new LinkedBlockingQueue<>());
  }

  private void serves(String server, int place, long... numbers) {
    servers.put(place, server);
    for (long number : numbers) places.put(number, place);
  }

  @Test
  void aServerThatIsSilentHoldsUpNobodyWhoAsksAnother() {
    BlockingQueue<Runnable> silent = answersOf("a");
    serves("a", 1, 1, 2);
    serves("b", 2, 3, 4, 5);
    CompletableFuture<Decision> first = ask(1);
    assertThat(nextAsked()).containsExactly(1L);
    CompletableFuture<Decision> second = ask(2);
    for (int number = 3; number <= 5; number++) {
      answer();
      assertThat(ask(number).join().remaining()).isEqualTo(number);
      assertThat(nextAsked()).containsExactly((long) number);
    }
    assertThat(first).isNotDone();
    silent.add(
        () -> {
          throw new LimiterUnavailableException("gone", null);
        });
    silent.add(() -> {});
    assertThatThrownBy(first::get).hasCauseInstanceOf(LimiterUnavailableException.class);
    assertThat(second.join().remaining()).isEqualTo(2);
    await().untilAsserted(() -> assertThat(gatherer.free()).isEqualTo(1_000));
  }

  @Test
  void callsForAPlaceThatMovesKeepTheirOrderAndLaterOnesGoWhereItIs() {
    BlockingQueue<Runnable> slow = answersOf("a");
    serves("a", 1, 1, 2, 8);
    serves("b", 2, 3);
    serves("a", 3, 7);
    CompletableFuture<Decision> first = ask(1);
    assertThat(nextAsked()).containsExactly(1L);
    servers.put(1, "b");
    CompletableFuture<Decision> second = ask(2);
    answer();
    ask(3).join();
    assertThat(nextAsked()).as("asked of b").containsExactly(3L);
    slow.add(() -> {});
    first.join();
    assertThat(nextAsked()).containsExactly(2L);
    answer();
    second.join();

    CompletableFuture<Decision> silent = ask(7);
    assertThat(nextAsked()).containsExactly(7L);
    answer();
    assertThat(ask(8).join().remaining()).isEqualTo(8);
    assertThat(silent).isNotDone();
    slow.add(() -> {});
    silent.join();
  }

  @Test
  void aPlaceThatIsNeverAtRestMovesTooAndWaitsForNobodyElse() {
    BlockingQueue<Runnable> silent = answersOf("a");
    serves("", 1, 1, 2);
    serves("", 2, 3);
    CompletableFuture<Decision> busy = ask(1).thenCompose(decision -> ask(2));
    assertThat(nextAsked()).containsExactly(1L);
    CompletableFuture<Decision> waiting = ask(3);
    servers.put(1, "b");
    servers.put(2, "a");
    answer();
    answer();
    await().until(busy::isDone);
    assertThat(waiting).isNotDone();
    silent.add(() -> {});
    assertThat(waiting.join().remaining()).isEqualTo(3);
    await().untilAsserted(() -> assertThat(gatherer.free()).isEqualTo(1_000));
  }

  @Test
  void callsForAPlaceThatMovesThereAndBackKeepTheirOrder() {
    BlockingQueue<Runnable> slow = answersOf("a");
    serves("a", 1, 1, 2, 3, 4);
    ask(1);
    assertThat(nextAsked()).containsExactly(1L);
    servers.put(1, "b");
    ask(2);
    ask(3);
    servers.put(1, "a");
    CompletableFuture<Decision> last = ask(4);
    slow.add(() -> {});
    assertThat(nextAsked()).containsExactly(2L, 3L, 4L);
    slow.add(() -> {});
    assertThat(last.join().remaining()).isEqualTo(4);
  }

  @Test
  void closingRefusesThoseWhosePlaceMoves() throws Exception {
    BlockingQueue<Runnable> slow = answersOf("a");
    serves("a", 1, 1, 2);
    CompletableFuture<Decision> underway = ask(1);
    nextAsked();
    servers.put(1, "b");
    CompletableFuture<Decision> waiting = ask(2);
    Thread closing = new Thread(gatherer::close);
    closing.start();
    await().until(waiting::isDone);
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(RejectedExecutionException.class);
    slow.add(() -> {});
    closing.join();
    assertThat(underway).isCompleted();
    assertThat(asked).isEmpty();
  }
}
