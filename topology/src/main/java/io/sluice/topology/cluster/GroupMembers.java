package io.sluice.topology.cluster;

import io.sluice.limiter.PlainText;
import java.util.List;
import java.util.Set;

/**
 * The members of a group, as its broker describes them.
 *
 * @param gathered whether all members are known and have been told what to read
 * @param members who they are: a client id and a host each
 * @param topics what they read, all of them together, as far as is known
 */
record GroupMembers(Kind kind, boolean gathered, List<Member> members, Set<String> topics) {
  /** The protocol by which the members of a group share partitions. */
  enum Kind {
    NONE("nobody"),
    CLASSIC("instances of Kafka Streams with group.protocol=classic"),
    STREAMS("instances of Kafka Streams with group.protocol=streams"),
    /** Those that divide partitions, and know nothing of tasks. */
    CONSUMERS("plain consumers");

    final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** A consumer of some instance. */
  record Member(String clientId, String host) {
    @Override
    public String toString() {
      return PlainText.of(clientId)
          + " on "
          + PlainText.of(host.startsWith("/") ? host.substring(1) : host);
    }
  }

  static final GroupMembers NOBODY = new GroupMembers(Kind.NONE, true, List.of(), Set.of());

  GroupMembers {
    members = List.copyOf(members);
    topics = Set.copyOf(topics);
  }

  /** The first of some members by name, and how many more there are. */
  static String named(List<Member> members) {
    if (members.size() == 1) return members.get(0).toString();
    return members.get(0) + " and " + (members.size() - 1) + " more";
  }
}
