package io.sluice.limiter.redis;

import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.args.ClusterFailoverOption;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Redis Cluster of real servers, three of which are masters at first. */
final class TestCluster implements AutoCloseable {
  private static final int SLOTS = Protocol.CLUSTER_HASHSLOTS;
  private static final Duration LONGEST = Duration.ofSeconds(30);

  final List<EmbeddedRedis> nodes = new ArrayList<>();

  /** Starts three masters, and a replica of the first one if there is a fourth node. */
  TestCluster(int count, String... arguments) {
    try {
      for (int i = 0; i < count; i++) nodes.add(start(arguments));
      meet();
      for (int i = 0; i < 3; i++) addSlots(i);
      awaitOk();
      if (count > 3) replicate();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static EmbeddedRedis start(String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"));
    // By default, a replica whose data is too old is not elected, which a slow machine can cause.
    all.addAll(List.of("--cluster-replica-validity-factor", "0"));
    all.addAll(List.of("--repl-diskless-sync-delay", "0"));
    all.addAll(List.of(arguments));
    return EmbeddedRedis.builder().arguments(all.toArray(new String[0])).start();
  }

  private void meet() {
    for (EmbeddedRedis node : nodes) {
      ask(nodes.get(0), redis -> redis.clusterMeet("127.0.0.1", node.port()));
    }
    await()
        .atMost(LONGEST)
        .until(
            () ->
                nodes.stream().allMatch(node -> info(node, "cluster_known_nodes:", nodes.size())));
  }

  private void addSlots(int third) {
    int from = third * SLOTS / 3;
    int to = (third + 1) * SLOTS / 3;
    int[] slots = new int[to - from];
    for (int i = 0; i < slots.length; i++) slots[i] = from + i;
    ask(nodes.get(third), redis -> redis.clusterAddSlots(slots));
  }

  private void replicate() {
    String master = id(0);
    await()
        .atMost(LONGEST)
        .ignoreExceptions() // the other node may not be known as a master yet
        .until(() -> ask(nodes.get(3), redis -> redis.clusterReplicate(master)).equals("OK"));
    awaitCopied(0, 3);
  }

  /** Waits until the replica has everything that was written to its master until now. */
  void awaitCopied(int master, int replica) {
    Replication.awaitCopied(() -> replication(master), () -> replication(replica));
  }

  private String replication(int node) {
    return ask(nodes.get(node), redis -> redis.info("replication"));
  }

  void awaitOk() {
    await()
        .atMost(LONGEST)
        .until(
            () ->
                nodes.stream()
                    .allMatch(
                        node ->
                            info(node, "cluster_state:", "ok")
                                && info(node, "cluster_slots_ok:", SLOTS)));
  }

  private static boolean info(EmbeddedRedis node, String field, Object value) {
    return ask(node, Jedis::clusterInfo).contains(field + value + "\r\n");
  }

  static <T> T ask(EmbeddedRedis node, Function<Jedis, T> question) {
    try (Jedis redis = new Jedis("127.0.0.1", node.port(), 10_000)) {
      return question.apply(redis);
    }
  }

  /** Closes the connections of all clients, which notice it on their next use. */
  static void closeConnections(EmbeddedRedis node) {
    ClientKillParams all = ClientKillParams.clientKillParams().type(ClientType.NORMAL);
    ask(node, redis -> redis.clientKill(all));
  }

  String id(int node) {
    return ask(nodes.get(node), Jedis::clusterMyId);
  }

  /** Returns the master that has the slot at first. */
  static int ownerOf(int slot) {
    int node = 0;
    while (slot >= (node + 1) * SLOTS / 3) node++;
    return node;
  }

  static int slotOf(String user) {
    return JedisClusterCRC16.getSlot("{" + user + "}");
  }

  /** Returns users whose keys are all in one slot. */
  static List<String> usersIn(int slot, int count) {
    List<String> users = new ArrayList<>();
    for (int i = 0; users.size() < count; i++) if (slotOf("u" + i) == slot) users.add("u" + i);
    return users;
  }

  void beginToMove(int slot, int from, int to) {
    String fromId = id(from);
    String toId = id(to);
    awaitEpoch(from, to);
    ask(nodes.get(to), redis -> redis.clusterSetSlotImporting(slot, fromId));
    ask(nodes.get(from), redis -> redis.clusterSetSlotMigrating(slot, toId));
  }

  /**
   * Otherwise the node that gets a slot could give it an older epoch than it had before. It would
   * then believe a message about the earlier owner, and delete the keys.
   */
  private void awaitEpoch(int one, int other) {
    await().atMost(LONGEST).until(() -> epoch(one).equals(epoch(other)));
  }

  private String epoch(int node) {
    return ask(nodes.get(node), Jedis::clusterInfo)
        .lines()
        .filter(line -> line.startsWith("cluster_current_epoch:"))
        .findFirst()
        .orElseThrow();
  }

  List<String> keysIn(int slot, int node) {
    return ask(nodes.get(node), redis -> redis.clusterGetKeysInSlot(slot, 10_000));
  }

  void moveKey(String key, int from, int to) {
    ask(nodes.get(from), redis -> redis.migrate("127.0.0.1", nodes.get(to).port(), key, 0, 10_000));
  }

  void endMove(int slot, int to) {
    String toId = id(to);
    for (int node : new int[] {to, 0, 1, 2}) {
      ask(nodes.get(node), redis -> redis.clusterSetSlotNode(slot, toId));
    }
  }

  void move(int slot, int from, int to) {
    beginToMove(slot, from, to);
    for (String key : keysIn(slot, from)) moveKey(key, from, to);
    endMove(slot, to);
  }

  /**
   * Makes the first node name the other as the slot's owner, while the other does not know; the
   * slot has no keys.
   */
  void halfMove(int slot, int from, int to) {
    String toId = id(to);
    ask(nodes.get(from), redis -> redis.clusterSetSlotNode(slot, toId));
  }

  /** Takes the slot from all nodes. */
  void orphan(int slot) {
    for (EmbeddedRedis node : nodes) ask(node, redis -> redis.clusterDelSlots(slot));
    awaitSlots(SLOTS - 1);
  }

  void adopt(int slot, int node) {
    ask(nodes.get(node), redis -> redis.clusterAddSlots(slot));
    awaitOk();
  }

  private void awaitSlots(int count) {
    await()
        .atMost(LONGEST)
        .until(() -> nodes.stream().allMatch(node -> info(node, "cluster_slots_ok:", count)));
  }

  /** Returns how often nodes have been asked for the map of slots. */
  long mapsRead() {
    return nodes.stream()
        .flatMap(node -> ask(node, redis -> redis.info("commandstats")).lines())
        .filter(line -> line.matches("cmdstat_cluster(\\|slots)?:calls=.*"))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=([0-9]+),.*", "$1")))
        .sum();
  }

  /** Returns how often a node has redirected a client. */
  long redirections(int node) {
    return ask(nodes.get(node), redis -> redis.info("errorstats"))
        .lines()
        .filter(line -> line.startsWith("errorstat_MOVED:count="))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
        .findAny()
        .orElse(0);
  }

  /**
   * Ends all moves of the slot. Deletes all keys first, because the slot could not move otherwise.
   */
  void bringHome(int slot) {
    for (EmbeddedRedis node : nodes.subList(0, 3)) {
      ask(node, Jedis::flushAll);
      // A node that still imports it would not accept that a promoted replica has it.
      ask(node, redis -> redis.clusterSetSlotStable(slot));
    }
    // Otherwise this node would believe the present owner, which claims the slot until it is told.
    ask(nodes.get(ownerOf(slot)), Jedis::clusterBumpEpoch);
    endMove(slot, ownerOf(slot));
  }

  void promote(int replica) {
    ask(nodes.get(replica), redis -> redis.clusterFailover(ClusterFailoverOption.FORCE));
    awaitMaster(replica);
  }

  void awaitMaster(int node) {
    await().atMost(LONGEST).until(() -> replication(node).contains("role:master"));
  }

  String uri() {
    return nodes.stream().map(EmbeddedRedis::uri).collect(joining(","));
  }

  /** Returns settings with timeouts for slow machines. */
  RedisSettings settings(String keyPrefix) {
    return RedisSettings.of(uri()).withKeyPrefix(keyPrefix).withTimeout(Duration.ofSeconds(10));
  }

  @Override
  public void close() {
    nodes.forEach(EmbeddedRedis::close);
  }
}
