package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.internals.DefaultErrorHandlerContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailedSendsTest {
  private static final Most MEBIBYTE = new Most(1 << 20, "max.message.bytes");

  /** Topics whose settings are read again because they refused a record. */
  private final List<String> refusing = new ArrayList<>();

  private final FailedSends handler = new FailedSends();

  @BeforeEach
  void configure() {
    RecordSizes sizes =
        new RecordSizes(
            Map.of("allowed", MEBIBYTE, "rejected", MEBIBYTE),
            new Sending(MEBIBYTE.bytes(), Compression.NONE),
            (topic, now, then) -> refusing.add(topic));
    handler.configure(
        Map.of(
            FailedSends.SIZES,
            sizes,
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            StreamsConfig.EXACTLY_ONCE_V2));
  }

  private void failed(String topic, int bytes, Exception failure) {
    ErrorHandlerContext none =
        new DefaultErrorHandlerContext(
            null, topic, 0, 0, new RecordHeaders(), "", null, 0, null, null);
    handler.handleError(none, new ProducerRecord<>(topic, new byte[bytes]), failure);
  }

  @Test
  void whatIsAbortedWithARefusedRecordIsNotRefused() {
    Exception refusal = new RecordTooLargeException("by the broker");
    failed("allowed", 300_000, refusal);
    failed("rejected", 700, refusal);
    failed("allowed", 700, refusal);

    assertThat(refusing).containsExactly("allowed");
  }

  @Test
  void eachRefusalCounts() {
    failed("allowed", 300_000, new RecordTooLargeException("one"));
    failed("rejected", 300_000, new RecordTooLargeException("another"));

    assertThat(refusing).containsExactly("allowed", "rejected");
  }
}
