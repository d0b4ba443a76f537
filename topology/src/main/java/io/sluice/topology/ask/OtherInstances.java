package io.sluice.topology.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * The other instances, each of which answers within seconds or not at all. Asking waits for nobody.
 * Safe for many threads.
 */
final class OtherInstances {
  private static final int MOST_ASKED = 200;

  private final String own;
  private final Peers peers;
  private final Supplier<List<String>> addresses;

  /**
   * @param own where this one is advertised; empty if nowhere
   * @param addresses where the others are advertised
   */
  OtherInstances(String own, Peers peers, Supplier<List<String>> addresses) {
    this.own = own.isEmpty() ? "this one" : own;
    this.peers = peers;
    this.addresses = addresses;
  }

  /** What this one is called among those that have answered. */
  String own() {
    return own;
  }

  /** Where they are; nowhere as long as this one is in no group. */
  List<String> addresses() {
    try {
      return addresses.get().stream().sorted().limit(MOST_ASKED).toList();
    } catch (InvalidStateStoreException e) {
      return List.of();
    }
  }

  /**
   * What one of them answers. It fails, with the reason, if it does not within seconds.
   *
   * @param reader of an answer; it throws an {@link IllegalArgumentException} that says in one line
   *     why it is none
   */
  <T> CompletableFuture<T> ask(
      String address, String path, Map<String, String> parameters, Function<byte[], T> reader) {
    return peers.said(address, path, parameters).thenApply(said -> read(said, reader));
  }

  private static <T> T read(Peers.Said said, Function<byte[], T> reader) {
    if (said.status() == 200) return reader.apply(said.body().getBytes(UTF_8));
    throw new IllegalArgumentException("it answers with status " + said.status());
  }

  /**
   * What all of them answer, who are asked at the same time. Each answer is read as it comes, so
   * that none is held for the slowest.
   */
  <T> CompletableFuture<Gathered<T>> askAll(
      String path, Map<String, String> parameters, Function<byte[], T> reader) {
    Map<String, CompletableFuture<T>> asked = new LinkedHashMap<>();
    for (String each : addresses()) asked.put(each, ask(each, path, parameters, reader));
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .handle((all, failure) -> gathered(asked));
  }

  private <T> Gathered<T> gathered(Map<String, CompletableFuture<T>> asked) {
    List<T> said = new ArrayList<>();
    List<String> answered = new ArrayList<>(List.of(own));
    Map<String, String> unanswered = new TreeMap<>();
    asked.forEach(
        (address, answer) -> {
          try {
            said.add(answer.join());
            answered.add(address);
          } catch (RuntimeException e) {
            unanswered.put(address, why(e));
          }
        });
    return new Gathered<>(said, answered, unanswered);
  }

  /** Why there is no answer, in one line. */
  static String why(Throwable failure) {
    boolean told = failure instanceof CompletionException && failure.getCause() != null;
    Throwable cause = told ? failure.getCause() : failure;
    String said = cause.getMessage();
    return said == null || said.isEmpty() ? cause.getClass().getSimpleName() : said;
  }
}
