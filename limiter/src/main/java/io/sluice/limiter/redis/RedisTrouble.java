package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The ways in which Redis is not to be had, as far as they differ in what to do. */
public enum RedisTrouble {
  /** Nothing listens at the address. */
  REFUSED,
  /** No address belongs to the name. */
  UNKNOWN_HOST,
  /** Nothing comes back. */
  SILENT,
  /** The two do not agree about encryption, or the certificate is not trusted. */
  ENCRYPTION,
  /** It wants a password, and none is given. */
  PASSWORD_MISSING,
  /** The user or the password is wrong. */
  PASSWORD_WRONG,
  /** The user may not do what is needed. */
  NO_RIGHT,
  /** It is a replica. */
  READ_ONLY,
  /** Its memory is full. */
  OUT_OF_MEMORY,
  /** It has just been started. */
  LOADING,
  /** A Cluster was asked for, and this is a server of its own. */
  NOT_A_CLUSTER,
  /** A server of its own was asked for, and this is a node of a Cluster. */
  OF_A_CLUSTER,
  /** It does not know a command: it is too old, or no Redis for keys. */
  UNKNOWN_COMMAND,
  /** Anything else. */
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
