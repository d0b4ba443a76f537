package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.SocketTimeoutException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** The ways in which Redis fails to answer, told apart. */
final class Failures {
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
  private static String reason(Throwable e) {
    Throwable cause = root(e);
    String message = cause.getMessage();
    return message == null
        ? cause.getClass().getSimpleName()
        : MeterScript.located(message).replaceAll("\\s+", " ");
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
