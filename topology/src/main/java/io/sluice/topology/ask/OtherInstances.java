package io.sluice.topology.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The other instances, asked at the same time; one that does not answer is waited for a few
 * seconds.
 */
final class OtherInstances {
  private static final int MOST_ASKED = 200;

  private final String own;
  private final Peers peers;
  private final Supplier<List<String>> addresses;

  /**
   * @param own where this one is advertised; empty if nowhere
   */
  OtherInstances(String own, Peers peers, Supplier<List<String>> addresses) {
    this.own = own.isEmpty() ? "this one" : own;
    this.peers = peers;
    this.addresses = addresses;
  }

  /** A report with those of the others added. */
  Report with(Report mine, Optional<String> limit) throws InterruptedException {
    Map<String, String> parameters = new LinkedHashMap<>(Map.of("by", mine.by()));
    limit.ifPresent(name -> parameters.put("limit", name));
    Gathered<Report> all = ask(TopRoute.PATH, parameters, Report::read);
    List<Report.OfLimit> limits = Reports.sum(mine, all.said());
    return new Report(mine.by(), mine.asOfMs(), limits, all.answered(), all.unanswered());
  }

  /**
   * What the others answer, each read as it comes, so that no answer is held for the slowest.
   *
   * @param reader of an answer; it throws an {@link IllegalArgumentException} that says in one line
   *     why it is none
   */
  <T> Gathered<T> ask(String path, Map<String, String> parameters, Function<byte[], T> reader)
      throws InterruptedException {
    Map<String, Future<T>> asked = new LinkedHashMap<>();
    for (String each : addresses.get().stream().sorted().limit(MOST_ASKED).toList()) {
      asked.put(each, peers.said(each, path, parameters).thenApply(said -> read(said, reader)));
    }
    List<String> answered = new ArrayList<>(List.of(own));
    Map<String, String> unanswered = new TreeMap<>();
    List<T> said = new ArrayList<>();
    for (Map.Entry<String, Future<T>> each : asked.entrySet()) {
      try {
        said.add(each.getValue().get());
        answered.add(each.getKey());
      } catch (ExecutionException e) {
        unanswered.put(each.getKey(), why(e.getCause()));
      }
    }
    return new Gathered<>(said, answered, unanswered);
  }

  private static <T> T read(Peers.Said said, Function<byte[], T> reader) {
    if (said.status() == 200) return reader.apply(said.body().getBytes(UTF_8));
    throw new IllegalArgumentException("it answers with status " + said.status());
  }

  private static String why(Throwable cause) {
    String said = cause.getMessage();
    return said == null || said.isEmpty() ? cause.getClass().getSimpleName() : said;
  }
}
