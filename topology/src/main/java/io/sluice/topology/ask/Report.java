package io.sluice.topology.ask;

import io.sluice.topology.watch.Top;
import java.util.List;
import java.util.Map;

/**
 * The keys of limits that had most events of one verdict.
 *
 * @param by the verdict, such as {@code rejected}
 * @param limits those with most events first
 * @param answered the instances whose events are in it
 * @param unanswered the instances whose events are missing, and why
 */
public record Report(
    String by,
    long asOfMs,
    List<OfLimit> limits,
    List<String> answered,
    Map<String, String> unanswered) {
  /**
   * The keys of one limit.
   *
   * @param shadow whether it only watches, and would have decided so
   * @param fields that its keys have, in their order
   * @param watched whether there was room for its keys, and not for its counts alone
   */
  public record OfLimit(
      String limit, boolean shadow, List<String> fields, boolean watched, Top top) {}

  /**
   * Reads what the API answers.
   *
   * @throws IllegalArgumentException if it is nothing of the kind, saying why in one line
   */
  public static Report read(byte[] json) {
    return ReportReader.read(json);
  }
}
