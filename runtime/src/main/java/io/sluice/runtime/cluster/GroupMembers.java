package io.sluice.runtime.cluster;

import io.sluice.limiter.PlainText;
import java.util.List;
import java.util.Set;

/**
 * Members of a Kafka group, as the broker describes them.
 *
 * @param gathered whether all members are known and have their assignments
 * @param members client id and host of each member
 * @param topics all topics that the members read together, as far as is known
 */
record GroupMembers(Kind kind, boolean gathered, List<Member> members, Set<String> topics) {
  /** Protocol by which the members of a group share partitions. */
  enum Kind {
    NONE("no members"),
    CLASSIC("instances of Kafka Streams with group.protocol=classic"),
    STREAMS("instances of Kafka Streams with group.protocol=streams"),
    /** Consumers that do not belong to Kafka Streams. */
    CONSUMERS("plain consumers");

    final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** Member of a group: a consumer with its client id and host. */
  record Member(String clientId, String host) {
    @Override
    public String toString() {
      return PlainText.of(clientId)
          + " on "
          + PlainText.of(host.startsWith("/") ? host.substring(1) : host);
    }
  }

  static final GroupMembers EMPTY = new GroupMembers(Kind.NONE, true, List.of(), Set.of());

  GroupMembers {
    members = List.copyOf(members);
    topics = Set.copyOf(topics);
  }

  /** Names the first member of a list, and the number of the others. */
  static String named(List<Member> members) {
    if (members.size() == 1) return members.get(0).toString();
    return members.get(0) + " and " + (members.size() - 1) + " more";
  }
}
