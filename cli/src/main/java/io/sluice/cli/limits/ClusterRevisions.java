package io.sluice.cli.limits;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.topology.config.SluiceConfig;
import java.util.List;

/**
 * Reads the revisions of limits from an application's topic, for commands that look at the past.
 */
public final class ClusterRevisions {
  private ClusterRevisions() {}

  /**
   * Returns the readable revisions; none if live limits are off or no limit was ever changed.
   *
   * @throws io.sluice.rules.StartException if the topic exists and cannot be read
   */
  public static List<LimitRevision> read(SluiceConfig config) {
    if (!config.topics().hasLimits()) return List.of();
    try (RevisionTopic topic = RevisionTopic.open(config.limitsTopic())) {
      return topic.readIfThere().revisions().stream().map(RevisionTopic.Written::revision).toList();
    }
  }
}
