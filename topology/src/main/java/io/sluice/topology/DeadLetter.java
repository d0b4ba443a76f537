package io.sluice.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;

/** The headers of a dead letter, which say what is wrong with its original bytes. */
final class DeadLetter {
  /** What is wrong. */
  static final String ERROR = "sluice-error";

  /** The record it was, as topic-partition-offset. */
  static final String ERROR_ORIGIN = "sluice-error-origin";

  /** What is not there of the record, because the topic does not take all of it. */
  static final String ERROR_LEFT_OUT = "sluice-error-left-out";

  private static final int MOST_CHARACTERS = 500;

  private DeadLetter() {}

  static void mark(Headers headers, Opening.Faulty fault) {
    VerdictHeaders.removeOurs(headers);
    headers
        .add(ERROR, utf8(oneLine(fault.fault())))
        .add(ERROR_ORIGIN, utf8(fault.origin().toString()));
  }

  /** What is wrong may quote what anybody wrote. */
  private static String oneLine(String fault) {
    String line = fault.replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
