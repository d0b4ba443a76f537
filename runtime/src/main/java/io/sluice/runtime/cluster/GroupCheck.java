package io.sluice.runtime.cluster;

import io.sluice.live.kafka.KafkaAccess;
import io.sluice.rules.StartException;
import io.sluice.runtime.cluster.GroupMembers.Kind;
import io.sluice.runtime.cluster.GroupMembers.Member;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.Nodes;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;

/** Check that the members of a Kafka consumer group are instances of this application. */
final class GroupCheck {
  /*
   * All members of a Kafka Streams group must have one topology. The leader assigns the topics of
   * its own topology to all members; a member with another topology rejoins again and again in
   * state RUNNING, and no member makes progress. So the assignments show the leader's topics, not
   * the members' subscriptions.
   */
  private static final String WHAT_TO_DO =
      "Set another application.id. If it is the same application and its topics have changed,"
          + " stop all its instances first (a killed instance stays in the group until its"
          + " session.timeout.ms is over)";

  private static final int MOST_LOOKS = 5;
  private static final long PAUSE_MS = 500;

  private final String applicationId;
  private final Kind kind;
  private final Set<String> topics;

  /**
   * Creates a check for a group.
   *
   * @param kind of group that this instance will join
   * @param topics that this instance reads
   */
  GroupCheck(String applicationId, Kind kind, Set<String> topics) {
    this.applicationId = applicationId;
    this.kind = kind;
    this.topics = new TreeSet<>(topics);
  }

  static GroupCheck of(SluiceConfig config) {
    Set<String> topics = new TreeSet<>(config.topics().inputs());
    topics.add(config.topics().delayed());
    if (config.limits().repartition()) {
      topics.add(Nodes.hopTopic(config.applicationId()));
    }
    Kind kind = config.makesItsOwnConsumer() ? Kind.STREAMS : Kind.CLASSIC;
    return new GroupCheck(config.applicationId(), kind, topics);
  }

  /**
   * Checks the group before this instance joins it. During a rebalance some topics may be
   * unassigned for a moment, so a problem must appear several times.
   *
   * @throws StartException if the members belong to another application
   */
  void beforeJoining(GroupReader reader, KafkaAccess access) {
    Optional<String> problem = Optional.empty();
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      try {
        if (looks > 0) Thread.sleep(PAUSE_MS);
        problem = problem(reader.read());
      } catch (ExecutionException e) {
        throw access.failed(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StartException("interrupted while reading the group", e);
      }
      if (problem.isEmpty()) return;
    }
    throw new StartException(problem.get());
  }

  String applicationId() {
    return applicationId;
  }

  /**
   * Problem with a group that this instance is about to join, in one line; empty if there is none.
   */
  Optional<String> problem(GroupMembers group) {
    if (group.kind() == Kind.NONE) return Optional.empty();
    if (group.kind() != kind) {
      return problem(
          group, "are " + group.kind().text + ", which cannot share a group with this instance");
    }
    boolean others = !topics.containsAll(group.topics());
    boolean fewer =
        group.gathered() && !group.topics().isEmpty() && !group.topics().containsAll(topics);
    return others || fewer ? problem(group, "read " + sorted(group)) : Optional.empty();
  }

  /**
   * Problem with the group that this instance has joined, in one line: another application leads
   * it.
   */
  Optional<String> problemWithin(GroupMembers group) {
    if (group.kind() != kind) return problem(group);
    boolean others = !topics.containsAll(group.topics());
    return others ? problem(group, "are assigned " + sorted(group)) : Optional.empty();
  }

  private Optional<String> problem(GroupMembers group, String what) {
    return Optional.of(
        "application.id=%s is used by another application: the members of this group (%s) %s, but this instance reads %s. %s"
            .formatted(
                applicationId,
                GroupMembers.named(group.members()),
                what,
                String.join(", ", topics),
                WHAT_TO_DO));
  }

  private static String sorted(GroupMembers group) {
    return String.join(", ", new TreeSet<>(group.topics()));
  }

  /** Members of the group that are not in this process. */
  static List<Member> others(GroupMembers group, Set<String> ourClientIds) {
    return group.members().stream()
        .filter(member -> !ourClientIds.contains(member.clientId()))
        .toList();
  }
}
