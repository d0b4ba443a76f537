package io.sluice.limiter.redis;

/**
 * The user, password and database that a server lets us in with.
 *
 * @param user empty for the default one
 * @param password empty if there is none
 */
record Credentials(String user, String password, int database, boolean encrypted) {
  /** Without the password. */
  @Override
  public String toString() {
    return (user.isEmpty() ? "the default user" : user) + (encrypted ? " over TLS" : "");
  }
}
