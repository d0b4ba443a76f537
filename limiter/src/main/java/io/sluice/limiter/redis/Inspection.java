package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Check, at every Redis server, of the user's rights and the server's settings that metering needs.
 * The commands use a key that expires after a second.
 */
final class Inspection implements RedisConnections.Visit {
  /*
   * Each command is run, and not just checked, because ACL DRYRUN needs Redis 7, and a right of its
   * own. The key holds a string, so commands for other types answer WRONGTYPE and change nothing.
   */
  private static final List<Right> RIGHTS =
      List.of(
          new Right(Command.SET, "", "PX", "1000"),
          new Right(Command.GET),
          new Right(Command.MGET),
          new Right(Command.GETRANGE, "0", "0"),
          new Right(Command.SETRANGE, "0", ""),
          new Right(Command.ZADD, "0", ""),
          new Right(Command.ZREM, ""),
          new Right(Command.ZREMRANGEBYSCORE, "0", "0"),
          new Right(Command.ZCARD),
          new Right(Command.ZCOUNT, "0", "0"),
          new Right(Command.ZSCORE, ""),
          new Right(Command.ZMSCORE, ""),
          new Right(Command.ZRANGE, "0", "0"),
          new Right(Command.ZREVRANGE, "0", "0"),
          new Right(Command.ZRANGEBYSCORE, "0", "0"),
          new Right(Command.RPUSH, ""),
          new Right(Command.LPOP),
          new Right(Command.LINDEX, "0"),
          new Right(Command.LLEN),
          new Right(Command.XRANGE, "0", "0"),
          new Right(Command.PFADD, ""),
          new Right(Command.PFCOUNT),
          new Right(Command.PFMERGE),
          new Right(Command.PTTL),
          new Right(Command.PEXPIRE, "1000"),
          new Right(Command.DEL));

  private static final Pattern MODE = Pattern.compile("(?m)^redis_mode:(\\w+)");
  private static final Pattern POLICY = Pattern.compile("(?m)^maxmemory_policy:([\\w-]+)");
  private static final String NO_SCRIPT = "0".repeat(40);

  private final String keysRight;
  private final Set<String> missing = new LinkedHashSet<>();
  private String mode = "";
  private String evictionPolicy = "";

  /** Redis command that metering needs, with the arguments that follow its key. */
  private record Right(Command command, List<String> arguments) {
    Right(Command command, String... arguments) {
      this(command, List.of(arguments));
    }

    CommandArguments on(byte[] key) {
      CommandArguments all = new CommandArguments(command).add(key);
      arguments.forEach(all::add);
      return all;
    }
  }

  /** Creates an inspection for a meter whose keys have these names. */
  Inspection(RedisKeys names) {
    keysRight = "~" + names.family();
  }

  /**
   * Returns the commands that a meter's user needs, in the form of an ACL, such as {@code +get}.
   */
  static List<String> commands() {
    List<String> names = new ArrayList<>(List.of(name(Command.EVAL), name(Command.EVALSHA)));
    for (Right right : RIGHTS) names.add(name(right.command));
    return names;
  }

  @Override
  public void at(Connection connection, byte[] key) {
    askForInfo(connection);
    look(ask(connection, new CommandArguments(Command.EVAL).add("return 0").add(0)), Command.EVAL);
    look(
        ask(connection, new CommandArguments(Command.EVALSHA).add(NO_SCRIPT).add(0)),
        Command.EVALSHA);
    for (Right right : RIGHTS) look(ask(connection, right.on(key)), right.command);
  }

  private static Object ask(Connection connection, CommandArguments question) {
    connection.sendCommand(question);
    return connection.getMany(1).get(0);
  }

  private void look(Object answer, Command command) {
    if (!(answer instanceof JedisDataException error)) return;
    if (Failures.says("NOPERM", error)) {
      boolean ofCommand = error.getMessage().contains("to run the");
      missing.add(ofCommand ? name(command) : keysRight);
    } else if (!Failures.says("WRONGTYPE", error) && !Failures.says("NOSCRIPT", error)) {
      throw error;
    }
  }

  private static String name(Command command) {
    return "+" + command.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the server's mode and eviction policy. Each of the two stays empty if the user has no
   * right to read it.
   */
  private void askForInfo(Connection connection) {
    if (ask(connection, new CommandArguments(Command.INFO)) instanceof byte[] info) {
      String text = new String(info, UTF_8);
      mode = found(MODE, text, mode);
      evictionPolicy = found(POLICY, text, evictionPolicy);
    }
    if (!evictionPolicy.isEmpty()) return;
    CommandArguments question =
        new CommandArguments(Command.CONFIG).add("GET").add("maxmemory-policy");
    if (ask(connection, question) instanceof List<?> pair && pair.size() == 2) {
      evictionPolicy = new String((byte[]) pair.get(1), UTF_8);
    }
  }

  private static String found(Pattern pattern, String text, String otherwise) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : otherwise;
  }

  RedisReport report() {
    return new RedisReport(List.copyOf(missing), mode, evictionPolicy);
  }
}
