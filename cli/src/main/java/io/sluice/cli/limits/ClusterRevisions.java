package io.sluice.cli.limits;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.topology.config.SluiceConfig;
import java.util.List;

/**
 * Reads the revisions (dated changes) of limits from an application's limits topic, for commands
 * that evaluate past events.
 */
public final class ClusterRevisions {
  private ClusterRevisions() {}

  /**
   * Returns the readable revisions; an empty list if {@code sluice.limits.live=false} or if the
   * limits topic does not exist.
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
