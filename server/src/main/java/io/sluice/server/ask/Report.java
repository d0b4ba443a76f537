package io.sluice.server.ask;

import io.sluice.topology.watch.Top;
import java.util.List;
import java.util.Map;

/**
 * Report of the keys of each limit that had most events of one verdict.
 *
 * @param by the verdict, such as {@code rejected}
 * @param asOfMs time of the report, epoch milliseconds
 * @param limits in the response of the API, those with most events first
 * @param answered the instances whose events are included
 * @param unanswered the instances whose events are missing, with the reason
 */
public record Report(
    String by,
    long asOfMs,
    List<OfLimit> limits,
    List<String> answered,
    Map<String, String> unanswered) {
  /**
   * Report of the keys of one limit that had most events.
   *
   * @param shadow whether the limit is in shadow mode, so that its verdict had no effect
   * @param fields fields of the keys, in order
   * @param watched false if the limit's events were counted, but not by key, for lack of room
   */
  public record OfLimit(
      String limit, boolean shadow, List<String> fields, boolean watched, Top top) {}

  /**
   * Parses a report in a response of the API.
   *
   * @throws IllegalArgumentException if it is not valid; the message says why in one line
   */
  public static Report read(byte[] json) {
    return ReportReader.read(json);
  }
}
