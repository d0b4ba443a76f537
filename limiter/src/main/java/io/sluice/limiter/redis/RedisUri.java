package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/** Parser of the URIs of Redis servers, Clusters and Sentinels. */
final class RedisUri {
  /*
   * The scheme for Sentinels is that of other Redis clients, with the master's name as a parameter.
   * The user and password before the hosts are those of Redis; the Sentinels' own login is in
   * parameters.
   */
  private static final String FORM =
      "Redis is redis://[user:password@]host[:port][/db]; a comma list of these is the nodes of a"
          + " Cluster; redis-sentinel://[user:password@]host[:port],...[/db]?master=NAME is the"
          + " master that Sentinels name; rediss:// and rediss-sentinel:// use TLS";

  private static final Pattern SENTINELS =
      Pattern.compile(
          "(?<scheme>rediss?)-sentinel://(?:(?<credentials>[^/?]*)@)?(?<hosts>[^/?@]+)(?<db>/[0-9]*)?"
              + "\\?(?<parameters>.+)");

  private static final String MASTER = "master";
  private static final String SENTINEL_USER = "sentinel-user";
  private static final String SENTINEL_PASSWORD = "sentinel-password";
  private static final Set<String> PARAMETERS = Set.of(MASTER, SENTINEL_USER, SENTINEL_PASSWORD);

  private static final int USUAL_PORT = 6379;
  private static final int USUAL_SENTINEL_PORT = 26379;

  private RedisUri() {}

  /**
   * @throws IllegalArgumentException if the URI is not valid; the message has the accepted forms,
   *     and never a password
   */
  static RedisAddress parse(String text) {
    Matcher sentinels = SENTINELS.matcher(text.trim());
    if (sentinels.matches()) return sentinels(sentinels);
    List<RedisAddress.Server> nodes =
        Arrays.stream(text.split(",", -1)).map(node -> server(node.trim(), USUAL_PORT)).toList();
    return nodes.size() == 1 ? nodes.get(0) : cluster(nodes);
  }

  private static RedisAddress cluster(List<RedisAddress.Server> nodes) {
    List<Credentials> all =
        nodes.stream().map(RedisAddress.Server::credentials).distinct().toList();
    Credentials named = all.stream().filter(RedisUri::isNamed).findFirst().orElse(all.get(0));
    Credentials anonymous = new Credentials("", "", 0, named.encrypted());
    if (named.database() != 0
        || !all.stream().allMatch(each -> each.equals(named) || each.equals(anonymous))) {
      throw new IllegalArgumentException(
          "the nodes of a Cluster must be all redis:// or all rediss://, with database 0 and the"
              + " same user and password");
    }
    return new RedisAddress.Cluster(
        nodes.stream().map(RedisAddress.Server::at).distinct().toList(), named);
  }

  private static boolean isNamed(Credentials credentials) {
    return !credentials.user().isEmpty() || !credentials.password().isEmpty();
  }

  private static RedisAddress sentinels(Matcher uri) {
    String scheme = uri.group("scheme") + "://";
    String credentials = uri.group("credentials") == null ? "" : uri.group("credentials") + "@";
    String database = uri.group("db") == null ? "" : uri.group("db");
    List<HostAndPort> sentinels = new ArrayList<>();
    for (String host : uri.group("hosts").split(",", -1)) {
      sentinels.add(server(scheme + host.trim(), USUAL_SENTINEL_PORT).at());
    }
    Credentials ofRedis =
        server(scheme + credentials + "host" + database, USUAL_PORT).credentials();
    Map<String, String> parameters = parameters(uri.group("parameters"));
    require(!parameters.getOrDefault(MASTER, "").isEmpty());
    Credentials ofSentinels =
        new Credentials(
            parameters.getOrDefault(SENTINEL_USER, ""),
            parameters.getOrDefault(SENTINEL_PASSWORD, ""),
            0,
            ofRedis.encrypted());
    return new RedisAddress.Sentinels(parameters.get(MASTER), sentinels, ofRedis, ofSentinels);
  }

  private static Map<String, String> parameters(String text) {
    List<String[]> pairs =
        Arrays.stream(text.split("&", -1)).map(pair -> pair.split("=", 2)).toList();
    require(pairs.stream().allMatch(pair -> pair.length == 2 && PARAMETERS.contains(pair[0])));
    require(pairs.stream().map(pair -> pair[0]).distinct().count() == pairs.size());
    return pairs.stream().collect(toMap(pair -> pair[0], pair -> decoded(pair[1])));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) { // e is dropped, because it quotes the password
      throw new IllegalArgumentException(FORM);
    }
  }

  private static RedisAddress.Server server(String text, int usualPort) {
    URI uri = toUri(text);
    boolean encrypted = "rediss".equals(uri.getScheme());
    require(encrypted || "redis".equals(uri.getScheme()));
    require(uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= 65_535);
    require(uri.getPath().matches("(/[0-9]{0,5})?"));
    require(uri.getQuery() == null && uri.getFragment() == null);
    String userInfo = uri.getUserInfo() == null ? "" : uri.getUserInfo();
    int colon = userInfo.indexOf(':');
    return new RedisAddress.Server(
        new HostAndPort(uri.getHost(), uri.getPort() < 0 ? usualPort : uri.getPort()),
        new Credentials(
            colon < 0 ? userInfo : userInfo.substring(0, colon),
            colon < 0 ? "" : userInfo.substring(colon + 1),
            uri.getPath().length() < 2 ? 0 : Integer.parseInt(uri.getPath().substring(1)),
            encrypted));
  }

  private static URI toUri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) { // e is dropped, because it quotes the password
      throw new IllegalArgumentException(FORM);
    }
  }

  private static void require(boolean condition) {
    if (!condition) throw new IllegalArgumentException(FORM);
  }

  /**
   * Login, database and encryption of a Redis server or a Sentinel.
   *
   * @param user empty for the default user
   * @param password empty if there is none
   */
  record Credentials(String user, String password, int database, boolean encrypted) {
    /** Returns the user and the encryption, without the password. */
    @Override
    public String toString() {
      return (user.isEmpty() ? "the default user" : user) + (encrypted ? " over TLS" : "");
    }
  }
}
