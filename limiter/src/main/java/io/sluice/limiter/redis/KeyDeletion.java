package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/** Deletes the keys of one Redis server that match a pattern. */
final class KeyDeletion {
  private static final int SCANNED_AT_ONCE = 1_000;
  private static final byte[] START = "0".getBytes(US_ASCII);

  private KeyDeletion() {}

  static void removeAll(Connection connection, String pattern) {
    byte[] cursor = START;
    do {
      List<?> page =
          (List<?>)
              connection.executeCommand(
                  new CommandArguments(Command.SCAN)
                      .add(cursor)
                      .add("MATCH")
                      .add(pattern)
                      .add("COUNT")
                      .add(SCANNED_AT_ONCE));
      cursor = (byte[]) page.get(0);
      unlink(connection, (List<?>) page.get(1));
    } while (!Arrays.equals(cursor, START));
  }

  /**
   * Sends one UNLINK for each key, because the keys of a Cluster's node are in different slots; all
   * of them take one round trip.
   */
  private static void unlink(Connection connection, List<?> keys) {
    for (Object key : keys) connection.sendCommand(Command.UNLINK, (byte[]) key);
    for (Object answer : connection.getMany(keys.size())) {
      if (answer instanceof JedisException e) throw e;
    }
  }
}
