package io.sluice.cli.limits;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.revision.LimitRevision;
import java.util.List;

/** The revisions that an application's topic has, for whoever looks at the past. */
public final class ClusterRevisions {
  private ClusterRevisions() {}

  /**
   * Those that are readable; none if limits are not live, or were never changed.
   *
   * @throws io.sluice.topology.metrics.StartException if the topic is there and cannot be read
   */
  public static List<LimitRevision> read(SluiceConfig config) {
    if (!config.topics().hasLimits()) return List.of();
    try (RevisionTopic topic = RevisionTopic.open(config)) {
      return topic.readIfThere().revisions().stream().map(RevisionTopic.Written::revision).toList();
    }
  }
}
