package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class TopicWaitTest {
  private static final String TOPIC = "in";
  private static final Throwable UNKNOWN = new UnknownTopicOrPartitionException("not here");
  private static final Throwable LATE = new TimeoutException("Timed out waiting for a node");
  private static final Node LEADER = new Node(1, "127.0.0.1", 1);
  private static final Object LED = described(LEADER);
  private static final Object LEADERLESS = described((Node) null);

  /** Next answers of the fake cluster; the last one is repeated. */
  private final Queue<Object> descriptions = new ArrayDeque<>();

  private final Queue<Object> offsets = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final Set<TopicPartition> asked = new HashSet<>();

  private static TopicDescription described(Node... leaders) {
    List<TopicPartitionInfo> partitions = new ArrayList<>();
    for (int i = 0; i < leaders.length; i++) {
      partitions.add(new TopicPartitionInfo(i, leaders[i], List.of(), List.of()));
    }
    return new TopicDescription(TOPIC, false, partitions);
  }

  private Admin cluster() {
    return (Admin)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return switch (method.getName()) {
                case "describeTopics" ->
                    new DescribeTopicsResult(null, Map.of(TOPIC, next(descriptions))) {};
                case "createTopics" -> new CreateTopicsResult(Map.of()) {};
                case "listOffsets" -> {
                  ((Map<?, ?>) arguments[0])
                      .keySet()
                      .forEach(each -> asked.add((TopicPartition) each));
                  yield new ListOffsetsResult(Map.of(new TopicPartition(TOPIC, 0), next(offsets)));
                }
                default -> throw new UnsupportedOperationException(method.toString());
              };
            });
  }

  @SuppressWarnings("unchecked")
  private static <T> KafkaFuture<T> next(Queue<Object> answers) {
    Object answer = answers.size() > 1 ? answers.remove() : answers.element();
    KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
    if (answer instanceof Throwable failure) future.completeExceptionally(failure);
    else future.complete((T) answer);
    return future;
  }

  private static Object offset() {
    return new ListOffsetsResult.ListOffsetsResultInfo(0, -1, Optional.empty());
  }

  private static KafkaAccess access(int port) {
    Properties streams = new Properties();
    streams.put("bootstrap.servers", "127.0.0.1:" + port);
    return new KafkaAccess(streams);
  }

  private void provide() {
    new TopicSetup(
            SluiceConfig.of(SettingLines.withLimit("sluice.topics.partitions=1")).topics(),
            access(1),
            cluster())
        .provide(List.of(TOPIC));
  }

  /** Waits for a much shorter time than at a start. */
  private void awaitForAMoment(int port) {
    new TopicWait(cluster(), access(port), Duration.ofMillis(200)).await(List.of(TOPIC));
  }

  @Test
  void aClusterThatIsLateOnceIsAskedAgain() {
    descriptions.addAll(List.of(UNKNOWN, LED));
    offsets.addAll(List.of(LATE, LATE, offset()));

    provide();

    assertThat(calls).filteredOn("listOffsets"::equals).hasSize(3);
  }

  /** Kafka's client would retry a request for offsets until there are leaders, or its timeout. */
  @Test
  void offsetsAreNotAskedForBeforeThereAreLeaders() {
    descriptions.addAll(List.of(UNKNOWN, UNKNOWN, LEADERLESS, LATE, LED));
    offsets.add(offset());

    provide();

    assertThat(calls)
        .endsWith("describeTopics", "describeTopics", "describeTopics", "listOffsets")
        .containsOnlyOnce("listOffsets");
  }

  /**
   * Another client creates the topic meanwhile, with other partitions. For partitions that do not
   * exist, Kafka's client would retry until its timeout.
   */
  @Test
  void aTopicThatAnotherCreatesMeanwhileIsAskedForThePartitionsThatItHas() {
    descriptions.addAll(List.of(UNKNOWN, described(LEADER, LEADER)));
    offsets.add(offset());

    assertThatThrownBy(this::provide)
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("in has 2 partitions, and sluice.topics.partitions is 1");
    assertThat(asked)
        .containsExactlyInAnyOrder(new TopicPartition(TOPIC, 0), new TopicPartition(TOPIC, 1));
  }

  @Test
  void leadersThatNeverComeAreNamed() {
    descriptions.add(LEADERLESS);

    assertThatThrownBy(() -> awaitForAMoment(1))
        .isInstanceOf(StartException.class)
        .hasMessage("topics are not ready: [in]: these partitions have no leader: [in-0]");
    assertThat(calls).hasSizeGreaterThan(1).doesNotContain("listOffsets");
  }

  /** A timeout of the client does not tell the reason. */
  @Test
  void leadersThatDidNotComeAreNamedEvenIfTheLastAnswerIsLate() {
    descriptions.addAll(List.of(LEADERLESS, LATE));

    assertThatThrownBy(() -> awaitForAMoment(1))
        .hasMessage("topics are not ready: [in]: these partitions have no leader: [in-0]");
  }

  @Test
  void leadersThatNeverAnswerAreBrokersThatCannotBeReached() throws IOException {
    descriptions.add(LED);
    offsets.add(LATE);
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> answer(broker));

      assertThatThrownBy(() -> awaitForAMoment(broker.getLocalPort()))
          .isInstanceOf(StartException.class)
          .hasMessageContaining(
              " answers, but the brokers that it lists (their advertised.listeners) do not")
          .hasCause(LATE);
      answering.join();
    }
    assertThat(calls).filteredOn("listOffsets"::equals).hasSizeGreaterThan(1);
  }

  /** Sends an empty answer, which is enough for {@code BrokerProbe}. */
  private static void answer(ServerSocket broker) {
    try (Socket one = broker.accept()) {
      one.getOutputStream().write(new byte[2 * Integer.BYTES]);
      one.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      // the client's request was not read to its end
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
