package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Dead letters as a consumer reads them. */
final class TestLetters {
  static final String TOPIC = "dead-letter-actions";
  static final long TIME_MS = 1_700_000_000_000L;

  private TestLetters() {}

  static ConsumerRecord<byte[], byte[]> letter(long offset, String value, Headers headers) {
    return new ConsumerRecord<>(
        TOPIC,
        0,
        offset,
        TIME_MS,
        TimestampType.CREATE_TIME,
        3,
        value == null ? 0 : value.length(),
        "key".getBytes(UTF_8),
        value == null ? null : value.getBytes(UTF_8),
        headers,
        Optional.empty());
  }

  /**
   * @param namesAndValues names and values of headers, in turn
   */
  static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    return headers;
  }
}
