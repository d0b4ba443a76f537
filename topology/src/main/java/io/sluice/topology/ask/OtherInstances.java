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
    Map<String, Future<Peers.Said>> asked = new LinkedHashMap<>();
    for (String each : addresses.get().stream().sorted().limit(MOST_ASKED).toList()) {
      asked.put(each, peers.said(each, TopRoute.PATH, parameters));
    }
    List<String> answered = new ArrayList<>(List.of(own));
    Map<String, String> unanswered = new TreeMap<>();
    List<Report> reports = new ArrayList<>();
    for (Map.Entry<String, Future<Peers.Said>> each : asked.entrySet()) {
      try {
        reports.add(read(each.getValue().get()));
        answered.add(each.getKey());
      } catch (ExecutionException e) {
        unanswered.put(each.getKey(), why(e.getCause()));
      } catch (IllegalArgumentException e) {
        unanswered.put(each.getKey(), why(e));
      }
    }
    return new Report(mine.by(), mine.asOfMs(), Reports.sum(mine, reports), answered, unanswered);
  }

  private static Report read(Peers.Said said) {
    if (said.status() == 200) return Report.read(said.body().getBytes(UTF_8));
    throw new IllegalArgumentException("it answers with status " + said.status());
  }

  private static String why(Throwable cause) {
    String said = cause.getMessage();
    return said == null || said.isEmpty() ? cause.getClass().getSimpleName() : said;
  }
}
