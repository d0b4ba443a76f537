package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.intake.RecordSizes.Most;
import io.sluice.topology.intake.RecordSizes.Sending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.apache.kafka.streams.errors.internals.DefaultErrorHandlerContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailedSendsTest {
  private static final Most MEBIBYTE = new Most(1 << 20, "max.message.bytes");

  /** Topics whose settings are read again because they refused a record. */
  private final List<String> refusing = new ArrayList<>();

  private final Map<String, Object> settings = new HashMap<>();

  @BeforeEach
  void shareSizes() {
    RecordSizes sizes =
        new RecordSizes(
            Map.of("allowed", MEBIBYTE, "rejected", MEBIBYTE),
            new Sending(MEBIBYTE.bytes(), Compression.NONE),
            (topic, now, then) -> refusing.add(topic));
    FailedSends.share(new RefusedRecords(sizes), settings);
  }

  private FailedSends task(String guarantee) {
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    FailedSends handler = new FailedSends();
    handler.configure(settings);
    return handler;
  }

  private static void failed(FailedSends handler, String topic, int bytes) {
    handler.handleError(
        context(topic),
        new ProducerRecord<>(topic, new byte[bytes]),
        Errors.MESSAGE_TOO_LARGE.exception());
  }

  private static ErrorHandlerContext context(String topic) {
    return new DefaultErrorHandlerContext(
        null, topic, 0, 0, new RecordHeaders(), "", null, 0, null, null);
  }

  @Test
  void recordsThatAreAbortedWithARefusedRecordAreNotRefused() {
    FailedSends one = task(StreamsConfig.EXACTLY_ONCE_V2);
    FailedSends another = task(StreamsConfig.EXACTLY_ONCE_V2);
    failed(one, "allowed", 300_000);
    failed(one, "allowed", 700);
    failed(another, "rejected", 700);

    assertThat(refusing).containsExactly("allowed");
  }

  @Test
  void eachProducerMayMeetARefusal() throws InterruptedException {
    failed(task(StreamsConfig.EXACTLY_ONCE_V2), "allowed", 300_000);
    FailedSends another = task(StreamsConfig.EXACTLY_ONCE_V2);
    Thread producer = new Thread(() -> failed(another, "rejected", 300_000));
    producer.start();
    producer.join();

    assertThat(refusing).containsExactly("allowed", "rejected");
  }

  /** A task that Kafka Streams revived would make another task lose the record it processes. */
  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
  void threadEndsAfterARetriableFailure(String guarantee) {
    ProductionExceptionHandler.Response response =
        task(guarantee)
            .handleError(
                context("allowed"),
                new ProducerRecord<>("allowed", new byte[1]),
                new TimeoutException("no answer"));
    assertThat(response.result()).isEqualTo(ProductionExceptionHandler.Result.FAIL);
  }

  @Test
  void withoutTransactionsEachRefusalCounts() {
    FailedSends handler = task(StreamsConfig.AT_LEAST_ONCE);
    failed(handler, "allowed", 300_000);
    failed(handler, "rejected", 300_000);

    assertThat(refusing).containsExactly("allowed", "rejected");
  }
}
