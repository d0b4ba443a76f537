package io.sluice.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.live.kafka.FollowedTopic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Topic and cluster of the revisions to follow. */
class ConfiguredClusterTest {
  private final List<String> mistakes = new ArrayList<>();

  @Test
  void theTopicIsTheStreamsUnlessItIsNamed() {
    assertThat(topic("sluice.bootstrap.servers=a:1", "sluice.application.id=shop"))
        .containsExactly("shop-limits");
    assertThat(
            topic(
                "sluice.bootstrap.servers=a:1",
                "sluice.application.id=shop",
                "sluice.topics.limits=revisions"))
        .containsExactly("revisions");
    assertThat(topic("sluice.bootstrap.servers=a:1,b:2", "sluice.topics.limits=revisions"))
        .containsExactly("revisions");
    assertThat(mistakes).isEmpty();
  }

  @Test
  void withoutAClusterNothingIsFollowedAndNothingMayBeSaidOfIt() {
    assertThat(topic()).isEmpty();
    assertThat(topic("sluice.limits.live=false")).isEmpty();
    assertThat(mistakes).isEmpty();
    assertThat(topic("sluice.application.id=shop", "sluice.sasl.mechanism=PLAIN")).isEmpty();
    assertThat(mistakes)
        .containsExactly(
            "sluice.application.id: only applies with sluice.bootstrap.servers",
            "sluice.sasl.mechanism: only applies with sluice.bootstrap.servers");
  }

  @Test
  void whatIsSwitchedOffIsCheckedAndNotFollowed() {
    assertThat(
            topic(
                "sluice.bootstrap.servers=a:1",
                "sluice.application.id=shop",
                "sluice.limits.live=false"))
        .isEmpty();
    assertThat(mistakes).isEmpty();
    topic("sluice.bootstrap.servers=a", "sluice.topics.limits=l", "sluice.limits.live=false");
    assertThat(mistakes).hasSize(1);
  }

  @Test
  void aClusterWithoutATopicIsAMistake() {
    assertThat(topic("sluice.bootstrap.servers=a:1")).isEmpty();
    assertThat(mistakes)
        .containsExactly(
            "sluice.topics.limits: missing; with sluice.bootstrap.servers, set the stream's topic"
                + " of revisions, such as shop-limits, or sluice.application.id, the stream's"
                + " application.id");
  }

  @Test
  void anAddressIsOne() {
    topic("sluice.bootstrap.servers=localhost", "sluice.application.id=shop");
    assertThat(mistakes)
        .containsExactly(
            "sluice.bootstrap.servers=localhost: not an address; a comma list of host:port, such as"
                + " localhost:9092");
    mistakes.clear();
    topic("sluice.bootstrap.servers= ", "sluice.application.id=shop");
    assertThat(mistakes)
        .containsExactly(
            "sluice.bootstrap.servers=: a comma list of host:port, such as localhost:9092");
  }

  @Test
  void passwordsAreNotRepeated() {
    topic(
        "sluice.bootstrap.servers=a:1",
        "sluice.application.id=bad id",
        "sluice.sasl.jaas.config=secret",
        "sluice.consumer.fetch.max.bytes=-2",
        "sluice.admin.retries=-1");
    assertThat(mistakes)
        .containsExactly(
            "sluice.application.id=bad id: at most 180 letters, digits, ., _ and -",
            "sluice.consumer.fetch.max.bytes=-2: Value must be at least 0",
            "sluice.admin.retries=-1: Value must be at least 0");
  }

  @Test
  void onlyWhatAClientReadsIsAccepted() {
    assertThat(ConfiguredCluster.isKey("sluice.ssl.truststore.location")).isTrue();
    assertThat(ConfiguredCluster.isKey("sluice.consumer.client.rack")).isTrue();
    assertThat(ConfiguredCluster.isKey("sluice.num.stream.threads")).isFalse();
    assertThat(ConfiguredCluster.isKey("sluice.consumer.quota")).isFalse();
    assertThat(ConfiguredCluster.isKey("ssl.truststore.location")).isFalse();
  }

  private List<String> topic(String... settings) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String each : settings) {
      int at = each.indexOf('=');
      texts.put(each.substring(0, at), each.substring(at + 1));
    }
    return ConfiguredCluster.read(texts, mistakes).map(FollowedTopic::name).stream().toList();
  }
}
