package io.sluice.topology.prefetch;

import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.topology.redis.PendingVerdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Order in which Redis servers are asked about a consumer's events. The questions of a poll are
 * grouped by server, and a server is asked when it has answered the questions of earlier polls.
 * Servers do not wait for each other, but the questions of a hash slot wait for earlier questions
 * of that slot, even if the slot has moved to another server. Not thread-safe.
 */
final class QuestionOrder {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final Executor background;

  /**
   * Future of the last call to each Redis server. The maps of last calls are bounded: they have an
   * entry for each node that a Cluster has ever had, and for each hash slot.
   */
  private final Map<String, CompletableFuture<Void>> lastOfServer = new HashMap<>();

  private final Map<Integer, CompletableFuture<Void>> lastOfPlace = new HashMap<>();

  /**
   * Questions of one call to one Redis server, and the futures of earlier calls that must complete
   * before the call.
   */
  private static final class Turn {
    final List<PendingVerdict> questions = new ArrayList<>();
    final Set<Integer> places = new HashSet<>();
    final Set<CompletableFuture<Void>> before = new HashSet<>();
  }

  /**
   * @param background executor of the calls to Redis
   */
  QuestionOrder(Executor background) {
    this.background = background;
  }

  /**
   * Has Redis asked questions about events, in their order and after the questions of earlier
   * polls.
   *
   * @param routeOf returns the hash slot and the server of a question
   * @param asking asks one server its questions; if that fails, the questions stay unanswered
   * @return future that completes when all questions have been asked
   */
  CompletableFuture<Void> take(
      List<PendingVerdict> questions,
      Function<PendingVerdict, Route> routeOf,
      Consumer<List<PendingVerdict>> asking) {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    byServer(questions, routeOf)
        .forEach(
            (server, turn) -> {
              CompletableFuture<Void> end =
                  all(turn.before)
                      .thenRunAsync(() -> asking.accept(turn.questions), background)
                      .exceptionally(Prefetcher::leftOpen);
              lastOfServer.put(server, end);
              turn.places.forEach(place -> lastOfPlace.put(place, end));
              ends.add(end);
            });
    return all(ends);
  }

  private Map<String, Turn> byServer(
      List<PendingVerdict> questions, Function<PendingVerdict, Route> routeOf) {
    Map<String, Turn> turns = new LinkedHashMap<>();
    // One call asks all questions of a hash slot, even if the slot moves to another server.
    Map<Integer, Turn> turnOfPlace = new HashMap<>();
    for (PendingVerdict question : questions) {
      Route route = routeOf.apply(question);
      Turn turn = turnOfPlace.get(route.place());
      if (turn == null) {
        turn = turns.computeIfAbsent(route.server(), server -> new Turn());
        turn.before.add(lastOfServer.getOrDefault(route.server(), NOW));
        turn.before.add(lastOfPlace.getOrDefault(route.place(), NOW));
        turn.places.add(route.place());
        turnOfPlace.put(route.place(), turn);
      }
      turn.questions.add(question);
    }
    return turns;
  }

  private static CompletableFuture<Void> all(Collection<CompletableFuture<Void>> futures) {
    return CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]));
  }
}
