package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** Tests of requests for a topic's size, which the test answers in any order. */
class TopicSizesTest {
  private static final ConfigResource TOPIC =
      new ConfigResource(ConfigResource.Type.TOPIC, "allowed");

  private final List<KafkaFutureImpl<Config>> asked = new ArrayList<>();
  private final List<Integer> told = new ArrayList<>();
  private final TopicSizes sizes = new TopicSizes(admin(), InstantSource.fixed(Instant.EPOCH));

  private static final class Result extends DescribeConfigsResult {
    Result(KafkaFuture<Config> answer) {
      super(Map.of(TOPIC, answer));
    }
  }

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("describeConfigs");
              asked.add(new KafkaFutureImpl<>());
              return new Result(asked.get(asked.size() - 1));
            });
  }

  private static Config config(int maxMessageBytes) {
    return new Config(
        List.of(
            new ConfigEntry("max.message.bytes", Integer.toString(maxMessageBytes)),
            new ConfigEntry("segment.bytes", "1000000")));
  }

  private void ask() {
    sizes.describe("allowed", true, most -> told.add(most.bytes()));
  }

  @Test
  void anAnswerThatComesLateDoesNotReplaceALaterOne() {
    ask();
    ask();
    asked.get(1).complete(config(2_000));
    asked.get(0).complete(config(1_000));
    assertThat(told).containsExactly(2_000);
  }

  @Test
  void aFailureLeavesAnEarlierAnswer() {
    ask();
    ask();
    asked.get(1).completeExceptionally(new IllegalStateException("no answer"));
    asked.get(0).complete(config(1_000));
    assertThat(told).containsExactly(1_000);
  }
}
