package io.sluice.live.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTest {

  static Stream<Throwable> passing() {
    return Stream.of(
        new TimeoutException("no leader"),
        new BrokerNotAvailableException("gone"),
        new OutOfOrderSequenceException("lost"),
        new RecordTooLargeException("a dead letter when it comes again"),
        new RecordBatchTooLargeException("the same"),
        new KafkaException("who knows"),
        new SchemasUnavailableException("registry"));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void whatMayPassIsTriedAgain(Throwable thrown) {
    Failure failure = Failure.of(new StreamsException("in a task", thrown));

    assertThat(failure.mayPass()).isTrue();
    assertThat(failure.cause()).isSameAs(thrown);
  }

  static Stream<Throwable> lasting() {
    return Stream.of(
        new TopicAuthorizationException("no"),
        new GroupAuthorizationException("no"),
        new TransactionalIdAuthorizationException("no"),
        new ClusterAuthorizationException("no"),
        new SaslAuthenticationException("no"),
        new SslAuthenticationException("no"),
        new ConfigException("no"),
        new InvalidTopicException("no"),
        new InvalidTxnTimeoutException("no"),
        new SerializationException("no"),
        new UnsupportedForMessageFormatException("no"),
        new UnsupportedVersionException("no"));
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void whatSomebodyHasSetOrGrantedWronglyNeverPasses(Throwable thrown) {
    Failure failure = Failure.of(new StreamsException("in a task", new KafkaException(thrown)));

    assertThat(failure.mayPass()).isFalse();
    assertThat(failure.isOfTheCluster()).isTrue();
    assertThat(failure.cause()).isSameAs(thrown);
  }

  @Test
  void whatNeitherTimeNorAnotherThreadMendsDoesNotPass() {
    Throwable refused = SchemasUnavailableException.misconfigured("answered 401");
    Throwable newer = new UnknownFormatException("waiting", 9, 1);

    assertThat(Failure.of(new StreamsException("in the extractor", refused)).mayPass()).isFalse();
    assertThat(Failure.of(new StreamsException(newer)).mayPass()).isFalse();
  }

  /** A new thread has a new producer, so the failure may pass. */
  @Test
  void aProducerThatIsInNoStateForWhatStreamsAsksPasses() {
    Map<String, Object> config =
        Map.of("bootstrap.servers", "127.0.0.1:1", "transactional.id", "not begun");
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, bytes, bytes)) {
      Throwable thrown = catchThrowable(producer::beginTransaction);

      assertThat(thrown).isInstanceOf(IllegalStateException.class);
      assertThat(Failure.of(thrown).mayPass()).isTrue();
    }
  }

  @Test
  void topicsThatNobodyKnowsOfForAMomentPass() {
    Failure failure = Failure.of(new MissingSourceTopicException("One or more were missing"));

    assertThat(failure.mayPass()).isTrue();
    assertThat(failure.isAnOutage()).as("a restart tells a topic that is gone").isFalse();
  }

  @Test
  void whatIsNotKnownToPassDoesNot() {
    Failure failure = Failure.of(new StreamsException(new IllegalStateException("a defect")));

    assertThat(failure.mayPass()).isFalse();
    assertThat(failure.isOfTheCluster()).isFalse();
    assertThat(failure.line()).isEqualTo("IllegalStateException: a defect");
    assertThat(Failure.of(new OutOfMemoryError("heap")).mayPass()).isFalse();
    assertThat(Failure.of(new StreamsException("its own")).mayPass()).isFalse();
  }

  @Test
  void aFailureIsOneLineWhateverItSays() {
    Failure failure = Failure.of(new ExecutionException(new TimeoutException("one\r\n  two\n")));

    assertThat(failure.line()).isEqualTo("TimeoutException: one two");
    assertThat(Failure.of(new TimeoutException()).line()).isEqualTo("TimeoutException");
  }
}
