package io.sluice.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.intake.EventRecord.Opening;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Factory of dead letters for records that cannot be metered. A dead letter is the original record
 * with the error in its headers. If it is too large for its topic, value, headers and key are left
 * out, the largest first, until it fits, and a header names the missing parts; if that is not
 * enough, the error is shortened. The origin of the record is always in a header.
 *
 * @param counted receives the kind of fault of each dead letter
 * @param sizes sizes of the largest records that topics accept
 * @param topics topics of dead letters
 */
public record DeadLetters(Consumer<FaultKind> counted, RecordSizes sizes, OutputTopics topics) {
  /** Header with the reason why the record is a dead letter, as one line of text. */
  public static final String ERROR = "sluice-error";

  /** Header with the kind of the error, as in the label of the metric of dead letters. */
  public static final String ERROR_REASON = "sluice-error-reason";

  /** Header with the coordinates of the original record, as topic-partition-offset. */
  public static final String ERROR_ORIGIN = "sluice-error-origin";

  /**
   * Header that names the parts of the record that were left out because the dead letter was too
   * large for its topic.
   */
  public static final String ERROR_LEFT_OUT = "sluice-error-left-out";

  static final int MOST_CHARACTERS = 500;

  /**
   * Largest number of characters of the origin in a header. The name of a topic has at most 249,
   * but the header of a delayed record may contain any text as its origin.
   */
  private static final int MOST_ORIGIN = 300;

  /** Part of a record that may be left out of its dead letter. */
  private enum Part {
    VALUE,
    HEADERS,
    KEY;

    long bytes(Record<byte[], EventRecord> letter) {
      return switch (this) {
        case VALUE -> letter.value().bytes() == null ? 0 : letter.value().bytes().length;
        case KEY -> letter.key() == null ? 0 : letter.key().length;
        case HEADERS -> RecordSizes.bytes(null, null, letter.headers());
      };
    }

    Record<byte[], EventRecord> leaveOut(Record<byte[], EventRecord> letter) {
      return switch (this) {
        case VALUE -> letter.withValue(new EventRecord(null));
        case KEY -> letter.withKey(null);
        case HEADERS -> letter.withHeaders(new RecordHeaders());
      };
    }
  }

  /** Returns the dead letter for a faulty record, and counts it by the kind of its fault. */
  public Record<byte[], EventRecord> of(Record<byte[], EventRecord> record) {
    Opening.Faulty fault = record.value().fault().orElseThrow();
    counted.accept(fault.kind());
    Set<Part> leftOut = EnumSet.noneOf(Part.class);
    Record<byte[], EventRecord> letter = marked(record, fault, leftOut, MOST_CHARACTERS);
    while (!fits(letter, topics.of(fault.origin())) && leftOut.size() < Part.values().length) {
      Part largest = largest(letter, leftOut).orElseThrow();
      leftOut.add(largest);
      letter = marked(largest.leaveOut(letter), fault, leftOut, MOST_CHARACTERS);
    }
    String topic = topics.of(fault.origin());
    for (int most = MOST_CHARACTERS / 2; most > 0 && !fits(letter, topic); most /= 2) {
      letter = marked(letter, fault, leftOut, most);
    }
    return letter;
  }

  private boolean fits(Record<byte[], EventRecord> letter, String topic) {
    return sizes.fit(topic, letter.key(), letter.value().bytes(), letter.headers());
  }

  private static Optional<Part> largest(Record<byte[], EventRecord> letter, Set<Part> leftOut) {
    return EnumSet.complementOf(EnumSet.copyOf(leftOut)).stream()
        .max(Comparator.comparingLong(part -> part.bytes(letter)));
  }

  private static Record<byte[], EventRecord> marked(
      Record<byte[], EventRecord> record, Opening.Faulty fault, Set<Part> leftOut, int most) {
    Record<byte[], EventRecord> letter = record.withTimestamp(fault.timestampMs());
    mark(letter.headers(), fault, most);
    letter.headers().remove(ERROR_LEFT_OUT);
    if (!leftOut.isEmpty()) {
      String parts = leftOut.stream().map(Keys::nameOf).collect(joining(","));
      letter.headers().add(ERROR_LEFT_OUT, parts.getBytes(UTF_8));
    }
    return letter;
  }

  static void mark(Headers headers, Opening.Faulty fault, int most) {
    VerdictHeaders.removeOurs(headers);
    headers
        .add(ERROR, utf8(oneLine(fault.fault(), most)))
        .add(ERROR_REASON, utf8(Keys.nameOf(fault.kind())))
        .add(ERROR_ORIGIN, utf8(oneLine(fault.origin().toString(), MOST_ORIGIN)));
  }

  /** Returns an error as one line of plain text, since the error may quote text of any producer. */
  private static String oneLine(String fault, int most) {
    return PlainText.message(fault, most);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
