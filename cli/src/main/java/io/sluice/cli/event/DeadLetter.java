package io.sluice.cli.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.runtime.cluster.RecordPosition;
import io.sluice.topology.intake.DeadLetters;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Record of a topic of dead letters. Any producer may have written it, with any headers. */
public record DeadLetter(ConsumerRecord<byte[], byte[]> letter) {
  private static final int NO_SIZE = ConsumerRecord.NULL_SIZE;

  /** Returns the text of the origin; empty if the letter states none. */
  public String origin() {
    return text(DeadLetters.ERROR_ORIGIN);
  }

  /** Returns the record that became the letter; empty if the origin is no position. */
  public Optional<RecordPosition> from() {
    return RecordPosition.parse(origin());
  }

  /** Returns the text of one of the letter's headers; empty if it is absent. */
  public String text(String name) {
    Header header = letter.headers().lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }

  /** Returns why the letter states no position of a record. */
  public String noOrigin() {
    return origin().isEmpty()
        ? "it has no " + DeadLetters.ERROR_ORIGIN
        : "its " + DeadLetters.ERROR_ORIGIN + " is no topic-partition-offset: " + origin();
  }

  /** Returns the record as it was at its origin, without the headers of Sluice. */
  public ConsumerRecord<byte[], byte[]> original(RecordPosition from) {
    Headers headers = new RecordHeaders(letter.headers());
    VerdictHeaders.removeOurs(headers);
    return new ConsumerRecord<>(
        from.topic(),
        from.partition(),
        from.offset(),
        letter.timestamp(),
        TimestampType.CREATE_TIME,
        NO_SIZE,
        NO_SIZE,
        letter.key(),
        letter.value(),
        headers,
        Optional.empty());
  }
}
