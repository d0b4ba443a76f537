package io.sluice.spring.kafka;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/** Calls that reach the user's error handler behind the wrapper that makes records wait. */
class TurnErrorHandlerTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
  private static final ConsumerRecord<String, String> RECORD =
      new ConsumerRecord<>("orders", 0, 7, "key", "value");

  private final List<Exception> delegated = new ArrayList<>();
  private final MockConsumer<String, String> consumer = consumer();
  private final Pauses pauses = new Pauses();
  private final TurnListener<String, String> listener =
      new TurnListener<>(record -> {}, new ContainerCalls(), pauses, new OfferHeaders(List.of()));
  private final TurnErrorHandler handler =
      new TurnErrorHandler(
          new CommonErrorHandler() {
            @Override
            public void handleRemaining(
                Exception thrown,
                List<ConsumerRecord<?, ?>> records,
                Consumer<?, ?> of,
                MessageListenerContainer container) {
              delegated.add(thrown);
            }
          },
          listener,
          pauses,
          false);

  @AfterEach
  void close() {
    pauses.close();
  }

  private static MockConsumer<String, String> consumer() {
    MockConsumer<String, String> made = new MockConsumer<>("earliest");
    made.assign(List.of(PARTITION));
    made.seek(PARTITION, 9);
    return made;
  }

  private void handleRemaining(Exception thrown) {
    handler.handleRemaining(thrown, List.of(RECORD), consumer, null);
  }

  @Test
  void whatIsKeptIsPolledAgainIfACommitFails() {
    listener.keepWaiting();
    handleRemaining(new CommitFailedException());
    assertThat(delegated).isEmpty();
    assertThat(consumer.position(PARTITION)).isEqualTo(RECORD.offset());
  }

  /**
   * Failures of other records, such as one that cannot be deserialized, go to the user's handler.
   */
  @Test
  void whatFailsWhenItIsOfferedAgainIsTheUsers() {
    listener.keepWaiting();
    Exception other = new IllegalStateException("no such class");
    handleRemaining(other);
    assertThat(delegated).containsExactly(other);
  }

  /**
   * A record that the listener has called before the failure is not a waiting one, even if the
   * container keeps it.
   */
  @Test
  void whatTheListenerHasHadIsTheUsers() {
    Exception failed = new CommitFailedException();
    handleRemaining(failed);
    listener.keepWaiting();
    listener.onMessage(RECORD);
    handleRemaining(failed);
    listener.keepWaiting();
    handler.handleOne(new IllegalStateException("bad"), RECORD, consumer, null);
    handleRemaining(failed);
    assertThat(delegated).containsExactly(failed, failed, failed);
    assertThat(consumer.position(PARTITION)).isEqualTo(9);
  }

  /**
   * Checks that the wrapper delegates all methods: a missing one would have Spring's default
   * behavior.
   */
  @Test
  void itHandsOnAllThatAnErrorHandlerCanBeAsked() {
    assertThat(methods(TurnErrorHandler.class)).containsAll(methods(CommonErrorHandler.class));
  }

  private static Set<List<Object>> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic() && !method.getName().equals("logger"))
        .map(TurnErrorHandlerTest::signature)
        .collect(toSet());
  }

  private static List<Object> signature(Method method) {
    return List.of(method.getName(), List.of(method.getParameterTypes()));
  }
}
