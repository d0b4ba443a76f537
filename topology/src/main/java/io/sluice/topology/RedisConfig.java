package io.sluice.topology;

import static java.util.stream.Collectors.joining;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How to reach Redis, and what its keys look like.
 *
 * @param nodes each with a port; more than one is a Redis Cluster
 * @param timeout for connecting and for an answer
 * @param grace how much longer than needed a key stays when events are judged by their own time
 */
record RedisConfig(List<URI> nodes, String keyPrefix, Duration timeout, Duration grace) {
  RedisConfig {
    nodes = List.copyOf(nodes);
  }

  /** The nodes as one text, the way the configuration gives them; may hold a password. */
  String uri() {
    return nodes.stream().map(URI::toString).collect(joining(","));
  }

  boolean isCluster() {
    return nodes.size() > 1;
  }

  /** The text with what may be a password left out, for logs and people. */
  static String withoutPassword(String uri) {
    return uri.replaceAll("(?s)//.*@", "//***@");
  }

  @Override
  public String toString() {
    return nodes.stream().map(node -> withoutPassword(node.toString())).collect(joining(","));
  }
}
