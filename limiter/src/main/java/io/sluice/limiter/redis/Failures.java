package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.SocketTimeoutException;
import java.util.List;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The ways in which Redis fails to answer, told apart. */
final class Failures {
  /** Words of errors that the next call gets as well, until something changes at the server. */
  private static final List<String> OF_THE_SERVER =
      List.of(
          "OOM ",
          "READONLY",
          "LOADING",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "MISCONF",
          "NOREPLICAS",
          "BUSY",
          "NOAUTH",
          "NOPERM",
          "WRONGPASS",
          "UNKILLABLE",
          "CROSSSLOT",
          "TRYAGAIN",
          "SKIPPED",
          "NOSCRIPT",
          "killed by user",
          "max number of clients",
          "non local key",
          "nknown command",
          "nknown Redis command");

  private Failures() {}

  /**
   * Whether the failure says nothing about Redis as it is now: the connection was closed from the
   * other side, leads to a server that has become a replica, or was to come from a pool that was
   * just closed for another. A new one may do. A timeout is taken at its word, because trying again
   * would double the wait.
   */
  static boolean isOfConnection(JedisException e) {
    return isReadOnly(e)
        || e.getCause() instanceof IllegalStateException
        || (e instanceof JedisConnectionException && !isTimeout(e));
  }

  /** Whether others in the pool lead to the same dead or demoted server. */
  static boolean isOfAll(JedisException e) {
    return isReadOnly(e) || e instanceof JedisConnectionException;
  }

  private static boolean isReadOnly(JedisException e) {
    // Redis 6 wraps what a command in a script was answered: "ERR Error running script ...
    // -READONLY".
    return String.valueOf(e.getMessage()).contains("READONLY");
  }

  /** Whether this is the server's answer, by its first word. */
  static boolean says(String word, JedisException e) {
    return String.valueOf(e.getMessage()).startsWith(word);
  }

  static boolean isTimeout(Throwable e) {
    for (Throwable each = e; each != null; each = each.getCause()) {
      if (each instanceof SocketTimeoutException) return true;
    }
    return false;
  }

  static LimiterUnavailableException unavailable(Object server, JedisException e) {
    return new LimiterUnavailableException("Redis at " + server + ": " + reason(e), e);
  }

  /** The cause of the causes, in one line. */
  static String reason(Throwable e) {
    Throwable cause = root(e);
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : inOneLine(message);
  }

  static String inOneLine(String error) {
    return MeterScript.located(error).replaceAll("\\s+", " ");
  }

  /**
   * Whether an error that a call was answered may be of its keys alone, so that it says nothing
   * about other calls. If it is, a {@link Probe} of the same server is answered.
   */
  static boolean mayBeOfKeys(JedisException e) {
    if (!(e instanceof JedisDataException) || e instanceof JedisRedirectionException) return false;
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("NOPERM")) return message.contains("key");
    return OF_THE_SERVER.stream().noneMatch(message::contains);
  }

  /** The cause of the causes. */
  static Throwable root(Throwable e) {
    Throwable cause = e;
    while (under(cause) != null) cause = under(cause);
    return cause;
  }

  /** Jedis suppresses what made it give up on a Cluster. */
  private static Throwable under(Throwable e) {
    if (e.getCause() != null || e.getSuppressed().length == 0) return e.getCause();
    return e instanceof JedisException ? e.getSuppressed()[0] : null;
  }
}
