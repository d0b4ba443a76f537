package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** Script that runs in a database of its own. */
final class ScriptSide implements AutoCloseable {
  private final Connection connection;
  private final byte[] script;

  ScriptSide(Connection connection, int database, byte[] script) {
    this.connection = connection;
    this.script = script;
    connection.executeCommand(command(Command.SELECT, Integer.toString(database)));
  }

  byte[] answerTo(List<byte[]> call) {
    CommandArguments command = new CommandArguments(Command.EVAL).add(script);
    call.forEach(command::add);
    return (byte[]) ((List<?>) connection.executeCommand(command)).get(0);
  }

  /**
   * Returns what each key holds. A log is read by entries, because its packed form depends on its
   * past.
   */
  Map<String, String> stored() {
    Map<String, String> stored = new TreeMap<>();
    for (String key : keys()) {
      String type = new String((byte[]) ask(Command.TYPE, key), UTF_8);
      Object found =
          type.equals("zset")
              ? ask(Command.ZRANGE, key, "0", "-1", "WITHSCORES")
              : ask(Command.DUMP, key);
      stored.put(key, hex(found));
    }
    return stored;
  }

  Map<String, Long> timesToLive() {
    Map<String, Long> times = new HashMap<>();
    for (String key : keys()) times.put(key, (Long) ask(Command.PTTL, key));
    return times;
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (Object key : (List<?>) ask(Command.KEYS, "*")) keys.add(new String((byte[]) key, UTF_8));
    return keys;
  }

  Object ask(Command what, String... arguments) {
    return connection.executeCommand(command(what, arguments));
  }

  private static CommandArguments command(Command what, String... arguments) {
    CommandArguments command = new CommandArguments(what);
    for (String each : arguments) command.add(each);
    return command;
  }

  private static String hex(Object found) {
    if (found instanceof byte[] bytes) return HexFormat.of().formatHex(bytes);
    return ((List<?>) found).stream().map(ScriptSide::hex).toList().toString();
  }

  @Override
  public void close() {
    connection.close();
  }
}
