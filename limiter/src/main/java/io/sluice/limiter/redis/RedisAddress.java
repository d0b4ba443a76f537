package io.sluice.limiter.redis;

import java.net.URI;
import java.net.URISyntaxException;

/** What a Redis URI says. Where a part is absent, it is the one Redis assumes. */
record RedisAddress(
    String host, int port, String user, String password, int database, boolean encrypted) {
  private static final int DEFAULT_PORT = 6379;

  /**
   * @throws IllegalArgumentException naming what is wrong, but never the password
   */
  static RedisAddress parse(String text) {
    require(!text.contains(","), "a list of nodes (Redis Cluster) is not supported yet");
    URI uri = toUri(text);
    boolean encrypted = "rediss".equals(uri.getScheme());
    require(encrypted || "redis".equals(uri.getScheme()), "it begins with redis:// or rediss://");
    require(uri.getHost() != null, "it names no host");
    String userInfo = uri.getUserInfo() == null ? "" : uri.getUserInfo();
    int colon = userInfo.indexOf(':');
    return new RedisAddress(
        uri.getHost(),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        colon < 0 ? userInfo : userInfo.substring(0, colon),
        colon < 0 ? "" : userInfo.substring(colon + 1),
        database(uri.getPath()),
        encrypted);
  }

  private static URI toUri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) { // its message quotes the text, and so the password
      throw new IllegalArgumentException("not a Redis URI: " + e.getReason());
    }
  }

  private static int database(String path) {
    if (path == null || path.isEmpty() || path.equals("/")) return 0;
    require(path.matches("/[0-9]{1,5}"), "after the host comes /db, a number: " + path);
    return Integer.parseInt(path.substring(1));
  }

  private static void require(boolean condition, String wrong) {
    if (!condition) throw new IllegalArgumentException("not a Redis URI: " + wrong);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
