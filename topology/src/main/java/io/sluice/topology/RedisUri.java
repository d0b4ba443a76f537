package io.sluice.topology;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Reads the URIs that name a Redis, or the nodes of a Redis Cluster. */
final class RedisUri {
  private static final int USUAL_PORT = 6379;

  private RedisUri() {}

  /**
   * The nodes of a comma list, each with a port.
   *
   * @throws IllegalArgumentException if it is no such list; never repeats the text, which may hold
   *     a password
   */
  static List<URI> nodes(String text) {
    List<URI> nodes = Form.split(text).stream().map(RedisUri::node).toList();
    require(!nodes.isEmpty());
    boolean alike = nodes.stream().map(URI::getScheme).distinct().count() == 1;
    boolean numbered = nodes.stream().anyMatch(node -> !node.getPath().matches("/?0?"));
    if (nodes.size() > 1 && (!alike || numbered)) {
      throw new IllegalArgumentException(
          "the nodes of a cluster are all redis:// or all rediss://, and have database 0 only");
    }
    return nodes;
  }

  private static URI node(String text) {
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme());
      require(scheme.equals("redis") || scheme.equals("rediss"));
      require(uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= 65_535);
      require(uri.getPath().matches("(/[0-9]{0,5})?"));
      require(uri.getQuery() == null && uri.getFragment() == null);
      return uri.getPort() > 0 ? uri : withUsualPort(uri);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("Redis is " + CommonSettings.REDIS_URI_FORM, e);
    }
  }

  /** As text, so that an escaped password stays escaped. */
  private static URI withUsualPort(URI uri) throws URISyntaxException {
    String authority = uri.getRawAuthority().replaceAll(":$", "");
    return new URI(uri.getScheme() + "://" + authority + ":" + USUAL_PORT + uri.getRawPath());
  }

  private static void require(boolean condition) {
    if (!condition) throw new IllegalArgumentException("Redis is " + CommonSettings.REDIS_URI_FORM);
  }
}
