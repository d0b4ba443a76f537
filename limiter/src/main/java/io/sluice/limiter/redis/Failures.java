package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.SocketTimeoutException;
import java.util.List;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Classifier of the errors with which Redis, or a connection to it, fails to answer. */
final class Failures {
  /**
   * Parts of the messages of errors that concern the whole server, not the keys of one call: other
   * calls get them too, until the server's state changes.
   */
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
   * Whether a failure says nothing about Redis' present state, so that a new connection may work:
   * the connection was closed by the other side, leads to a server that has become a replica, or
   * was requested from a pool that was just replaced. A timeout is not such a failure, because a
   * retry would double the wait.
   */
  static boolean isOfConnection(JedisException e) {
    return isReadOnly(e)
        || e.getCause() instanceof IllegalStateException
        || (e instanceof JedisConnectionException && !isTimeout(e));
  }

  /**
   * Whether, after this failure, other connections of the pool lead to the same dead or demoted
   * server.
   */
  static boolean isOfAll(JedisException e) {
    return isReadOnly(e) || e instanceof JedisConnectionException;
  }

  private static boolean isReadOnly(JedisException e) {
    // Redis 6 wraps the error of a command in a script, as in "ERR Error running script ...
    // -READONLY", so the word can be anywhere in the message.
    return String.valueOf(e.getMessage()).contains("READONLY");
  }

  /** Whether the message of the server's error begins with this word. */
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

  /** Returns the message of an exception's root cause, in one line. */
  static String reason(Throwable e) {
    Throwable cause = root(e);
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : inOneLine(message);
  }

  static String inOneLine(String error) {
    return MeterScript.located(error).replaceAll("\\s+", " ");
  }

  /**
   * Whether an error reply may concern only the keys of its call, so that it says nothing about
   * other calls. The server is healthy in this case if it accepts a {@linkplain
   * RedisConnections#probe probe}.
   */
  static boolean mayBeOfKeys(JedisException e) {
    if (!(e instanceof JedisDataException) || e instanceof JedisRedirectionException) return false;
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("NOPERM")) return message.contains("key");
    return OF_THE_SERVER.stream().noneMatch(message::contains);
  }

  /** Returns the root cause of an exception. */
  static Throwable root(Throwable e) {
    Throwable cause = e;
    while (under(cause) != null) cause = under(cause);
    return cause;
  }

  /**
   * Returns the next cause of an exception. Jedis adds the reason for giving up on a Cluster as a
   * suppressed exception, not as a cause.
   */
  private static Throwable under(Throwable e) {
    if (e.getCause() != null || e.getSuppressed().length == 0) return e.getCause();
    return e instanceof JedisException ? e.getSuppressed()[0] : null;
  }
}
