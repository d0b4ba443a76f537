package io.sluice.server.ask;

import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import io.sluice.server.ask.Report.Unanswered;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the other instances in the group. Each instance answers within seconds or the request
 * to it fails. Requests do not block the caller. An instance that does not answer, and one that
 * answers again, is logged once. Thread-safe.
 */
final class OtherInstances {
  private static final Logger LOG = LoggerFactory.getLogger(OtherInstances.class);
  private static final int MOST_ASKED = 200;

  private final String own;
  private final InstanceClient peers;
  private final Supplier<List<String>> addresses;

  /** Addresses of the instances that did not answer the last request. */
  private final Set<String> silent = ConcurrentHashMap.newKeySet();

  /**
   * Responses of the other instances to one request.
   *
   * @param said the parsed responses of the other instances
   * @param answered the instances that are included, this one first
   * @param unanswered the instances that are missing
   */
  record Responses<T>(List<T> said, List<String> answered, List<Unanswered> unanswered) {}

  /**
   * Creates a client of the other instances.
   *
   * @param own advertised address of this instance; empty if it advertises none
   * @param addresses supplies the advertised addresses of the others
   */
  OtherInstances(String own, InstanceClient peers, Supplier<List<String>> addresses) {
    this.own = own.isEmpty() ? "this one" : own;
    this.peers = peers;
    this.addresses = addresses;
  }

  /** Name of this instance in the list of the instances that have answered. */
  String own() {
    return own;
  }

  /** Addresses of the other instances, sorted; empty while this instance is in no group. */
  List<String> addresses() {
    try {
      List<String> all = addresses.get().stream().sorted().limit(MOST_ASKED).toList();
      silent.retainAll(all);
      return all;
    } catch (InvalidStateStoreException e) {
      return List.of();
    }
  }

  /**
   * Asks one instance. The future fails, with the reason, if there is no valid response within
   * seconds.
   *
   * @param reader parses the response, or throws an {@link IllegalArgumentException} whose message
   *     says in one line why it is not valid
   */
  <T> CompletableFuture<T> ask(
      String address, String path, Map<String, String> parameters, Function<String, T> reader) {
    return peers
        .ask(address, path, parameters)
        .whenComplete((said, failure) -> note(address, failure))
        .thenApply(said -> read(said, reader));
  }

  private void note(String address, Throwable failure) {
    if (failure == null) {
      if (silent.remove(address)) LOG.info("instance {} answers again", PlainText.of(address));
      return;
    }
    if (!silent.add(address)) return;
    LOG.warn(
        "instance {} does not answer this one: {}; see whether it runs, and whether its {} can be"
            + " reached from here; until then, answers of the API are without its part",
        PlainText.of(address),
        PlainText.message(why(failure)),
        Keys.HTTP_ADVERTISED);
  }

  private static <T> T read(InstanceClient.Said said, Function<String, T> reader) {
    if (said.status() == 200) return reader.apply(said.body());
    throw new IllegalArgumentException("it answers with status " + said.status());
  }

  /**
   * Asks all other instances at the same time. Each response is parsed when it arrives, so that no
   * body is held in memory until the slowest instance has answered.
   */
  <T> CompletableFuture<Responses<T>> askAll(
      String path, Map<String, String> parameters, Function<String, T> reader) {
    Map<String, CompletableFuture<T>> asked = new LinkedHashMap<>();
    for (String each : addresses()) asked.put(each, ask(each, path, parameters, reader));
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .handle((all, failure) -> gathered(asked));
  }

  private <T> Responses<T> gathered(Map<String, CompletableFuture<T>> asked) {
    List<T> said = new ArrayList<>();
    List<String> answered = new ArrayList<>(List.of(own));
    List<Unanswered> unanswered = new ArrayList<>();
    asked.forEach(
        (address, answer) -> {
          try {
            said.add(answer.join());
            answered.add(address);
          } catch (RuntimeException e) {
            unanswered.add(new Unanswered(address, why(e)));
          }
        });
    return new Responses<>(said, answered, unanswered);
  }

  /** Reason for the failure of a request, in one line. */
  static String why(Throwable failure) {
    boolean told = failure instanceof CompletionException && failure.getCause() != null;
    Throwable cause = told ? failure.getCause() : failure;
    String said = cause.getMessage();
    if (said != null && !said.isEmpty()) return said;
    return cause instanceof ConnectException ? "no connection" : cause.getClass().getSimpleName();
  }
}
