package io.sluice.limiter.redis;

/**
 * How a server lets us in.
 *
 * @param user empty for the default one
 * @param password empty if there is none
 */
record Login(String user, String password, int database, boolean encrypted) {
  /** Without the password. */
  @Override
  public String toString() {
    return (user.isEmpty() ? "the default user" : user) + (encrypted ? " over TLS" : "");
  }
}
