package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Reasons why Redis is unavailable, as far as their remedies differ. */
public enum RedisTrouble {
  /** No server listens at the address. */
  REFUSED,
  /** The host name has no address. */
  UNKNOWN_HOST,
  /** No answer comes in time. */
  SILENT,
  /** Client and server do not agree about encryption, or the certificate is not trusted. */
  ENCRYPTION,
  /** Redis requires a password, and none is configured. */
  PASSWORD_MISSING,
  /** The user or the password is wrong. */
  PASSWORD_WRONG,
  /** The user lacks a right that metering needs. */
  NO_RIGHT,
  /** The server is a replica. */
  READ_ONLY,
  /** The server's memory is full. */
  OUT_OF_MEMORY,
  /** The server was just started, and is loading its data. */
  LOADING,
  /** The URI is that of a Cluster, but the server is not part of one. */
  NOT_A_CLUSTER,
  /** The URI is that of a single server, but the server is a node of a Cluster. */
  OF_A_CLUSTER,
  /** The server does not know a command: it is too old, or a Sentinel, which has no keys. */
  UNKNOWN_COMMAND,
  /** Any other reason. */
  OTHER;

  public static RedisTrouble of(LimiterUnavailableException failure) {
    Throwable root = Failures.root(failure);
    if (root instanceof UnknownHostException) return UNKNOWN_HOST;
    if (root instanceof SocketTimeoutException) return SILENT;
    if (root instanceof ConnectException) return REFUSED;
    if (root instanceof SSLException || root instanceof java.security.GeneralSecurityException) {
      return ENCRYPTION;
    }
    if (root instanceof JedisRedirectionException) return OF_A_CLUSTER;
    return of(String.valueOf(root.getMessage()));
  }

  private static RedisTrouble of(String answer) {
    if (answer.startsWith("NOAUTH")) return PASSWORD_MISSING;
    if (answer.startsWith("WRONGPASS") || answer.contains("without any password configured")) {
      return PASSWORD_WRONG;
    }
    if (answer.startsWith("NOPERM")) return NO_RIGHT;
    if (answer.contains("READONLY")) return READ_ONLY;
    if (answer.startsWith("OOM") || answer.contains("-OOM ")) return OUT_OF_MEMORY;
    if (answer.startsWith("LOADING")) return LOADING;
    if (answer.contains("cluster support disabled")) return NOT_A_CLUSTER;
    if (answer.startsWith("MOVED") || answer.contains("(a node of a Cluster")) return OF_A_CLUSTER;
    if (answer.contains("unknown command")) return UNKNOWN_COMMAND;
    return OTHER;
  }
}
