package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.SettingLines;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.InstantSource;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.Test;

class TopicRightsTest {
  @Test
  void theOutputsOfEachInputAreWritten() {
    SluiceConfig config =
        SluiceConfig.of(
            SettingLines.withLimit(
                "sluice.topics.input=sms,replies",
                "sluice.topics.allowed={input}-allowed",
                "sluice.topics.rejected={input}-rejected",
                "sluice.topics.dead-letter={input}-dead"));
    Topology topology =
        ThrottleTopology.build(
            config,
            1,
            InstantSource.system(),
            () -> {
              throw new AssertionError("no limit is in Redis");
            });
    TopicRights rights = new TopicRights("sluice", config.topics()).with(topology);

    assertThat(rights.topics())
        .containsExactlyInAnyOrder(
            "sms",
            "replies",
            "sms-allowed",
            "replies-allowed",
            "sms-rejected",
            "replies-rejected",
            "sms-dead",
            "replies-dead",
            "delayed-actions",
            "sluice-limits",
            "sluice-home-repartition",
            "sluice-limits-changelog",
            "sluice-waiting-changelog",
            "sluice-turns-changelog");
    assertThat(rights.missing("replies-dead", Set.of()))
        .containsExactly(rights.right(AclOperation.WRITE, "replies-dead"));
  }
}
