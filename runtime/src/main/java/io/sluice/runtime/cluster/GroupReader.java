package io.sluice.runtime.cluster;

import io.sluice.runtime.cluster.GroupMembers.Kind;
import io.sluice.runtime.cluster.GroupMembers.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Reader of the members of a Kafka group, for every group protocol. */
final class GroupReader {
  /** Name of the assignor that Kafka Streams uses in the classic protocol. */
  private static final String STREAMS_ASSIGNOR = "stream";

  private final Admin admin;
  private final String group;

  GroupReader(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  /**
   * Reads the members of the group.
   *
   * @throws ExecutionException if the broker refuses, such as for lack of rights
   */
  GroupMembers read() throws ExecutionException, InterruptedException {
    try {
      return members(await(admin.describeConsumerGroups(List.of(group)).all()).get(group));
    } catch (GroupIdNotFoundException another) {
      return streams();
    } catch (IllegalArgumentException notConsumers) {
      // The members are no consumers, but for example the workers of Kafka Connect.
      return new GroupMembers(
          Kind.CONSUMERS, true, List.of(new Member(notConsumers.getMessage(), "")), Set.of());
    }
  }

  private GroupMembers streams() throws ExecutionException, InterruptedException {
    try {
      return members(await(admin.describeStreamsGroups(List.of(group)).all()).get(group));
    } catch (GroupIdNotFoundException | UnsupportedVersionException noGroup) {
      return GroupMembers.EMPTY;
    }
  }

  private static <T> T await(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException notFound) throw notFound;
      if (e.getCause() instanceof UnsupportedVersionException unsupported) throw unsupported;
      if (e.getCause() instanceof IllegalArgumentException other) throw other;
      throw e;
    }
  }

  private static GroupMembers members(ConsumerGroupDescription group) {
    if (group.members().isEmpty()) return GroupMembers.EMPTY;
    List<Member> members = new ArrayList<>();
    Set<String> topics = new HashSet<>();
    group
        .members()
        .forEach(
            member -> {
              members.add(new Member(member.clientId(), member.host()));
              member.assignment().topicPartitions().stream()
                  .map(TopicPartition::topic)
                  .forEach(topics::add);
            });
    return new GroupMembers(kind(group), isStable(group.groupState()), members, topics);
  }

  /**
   * Kind of group. The assignor is still empty while the members are joining, and then counts as
   * the one of Kafka Streams.
   */
  private static Kind kind(ConsumerGroupDescription group) {
    String assignor = group.partitionAssignor();
    boolean streams = assignor.equals(STREAMS_ASSIGNOR) || assignor.isEmpty();
    return group.type() == GroupType.CLASSIC && streams ? Kind.CLASSIC : Kind.CONSUMERS;
  }

  private static GroupMembers members(StreamsGroupDescription group) {
    if (group.members().isEmpty()) return GroupMembers.EMPTY;
    List<Member> members =
        group.members().stream()
            .map(member -> new Member(member.clientId(), member.clientHost()))
            .toList();
    Set<String> topics = new HashSet<>();
    group
        .subtopologies()
        .forEach(
            part -> {
              topics.addAll(part.sourceTopics());
              topics.addAll(part.repartitionSourceTopics().keySet());
            });
    return new GroupMembers(Kind.STREAMS, isStable(group.groupState()), members, topics);
  }

  private static boolean isStable(GroupState state) {
    return state == GroupState.STABLE;
  }
}
