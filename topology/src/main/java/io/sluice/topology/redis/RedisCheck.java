package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisReport;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.limiter.redis.RedisTrouble;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Check, before the application starts, whether Redis can be used for metering. A problem that may
 * end without a change of the settings gives a warning; the application then starts and treats
 * Redis as unavailable. A problem that only the operator can fix makes the start fail.
 */
final class RedisCheck {
  /**
   * Shortest timeout of a call in this check, since the first call also resolves the host name and
   * may set up TLS.
   */
  private static final Duration AT_LEAST = Duration.ofSeconds(2);

  private static final String OF_A_CLUSTER =
      "is a node of a Cluster: name some of its nodes in sluice.redis.uri, as a comma list";

  private final SluiceConfig config;
  private final RedisSettings settings;

  private RedisCheck(SluiceConfig config) {
    this.config = config;
    RedisSettings given = SharedRedisMeter.settings(config);
    boolean longer = given.timeout().compareTo(AT_LEAST) < 0;
    settings = given.withPatience(Duration.ZERO).withTimeout(longer ? AT_LEAST : given.timeout());
  }

  /**
   * Checks Redis if any limit is in Redis.
   *
   * @return warnings, one line each
   * @throws StartException if Redis can never be used as configured
   */
  static List<String> warnings(SluiceConfig config) {
    return config.usesRedis() ? new RedisCheck(config).ask() : List.of();
  }

  private List<String> ask() {
    try (RedisMeter meter = new RedisMeter(settings)) {
      return judged(meter.inspect());
    } catch (LimiterUnavailableException e) {
      Remedy remedy = remedy(RedisTrouble.of(e), e);
      if (!remedy.passes) throw new StartException(line(remedy.says), e);
      return List.of(line(remedy.says) + "; until then its limits do what redis.unavailable says");
    }
  }

  private List<String> judged(RedisReport report) {
    if (!report.missingRights().isEmpty()) {
      String rights = String.join(" ", report.missingRights());
      throw new StartException(line("gives its user too few rights: grant " + rights));
    }
    if (report.mode().equals("cluster") && !config.redis().isCluster()) {
      throw new StartException(line(OF_A_CLUSTER));
    }
    List<String> warnings = new ArrayList<>();
    if (report.evicts()) {
      warnings.add(
          line(
              "has maxmemory-policy "
                  + report.evictionPolicy()
                  + ": when it is full it deletes counts, and those limits allow too much;"
                  + " set noeviction"));
    }
    return warnings;
  }

  private boolean isEncrypted() {
    return settings.uri().startsWith("rediss");
  }

  private String line(String says) {
    return "Redis at " + config.redis() + " " + says;
  }

  /**
   * Text for the operator about a problem with Redis and its remedy.
   *
   * @param passes whether the problem may end without a change of this instance's settings
   */
  private record Remedy(boolean passes, String says) {}

  private static Remedy passes(String says) {
    return new Remedy(true, says);
  }

  private static Remedy stays(String says) {
    return new Remedy(false, says);
  }

  private Remedy remedy(RedisTrouble trouble, LimiterUnavailableException failure) {
    String why = failure.getMessage();
    return switch (trouble) {
      case REFUSED ->
          passes(
              "refuses connections: nothing listens there; start Redis, or correct host and port in"
                  + " sluice.redis.uri");
      case UNKNOWN_HOST ->
          passes("is not found: no such host; correct it in sluice.redis.uri, or correct the DNS");
      case SILENT ->
          passes(
              "does not answer within "
                  + settings.timeout().toMillis()
                  + " ms: correct host and port in sluice.redis.uri, or check the firewall"
                  + (isEncrypted() ? ", or use redis:// if it does not use TLS" : ""));
      case LOADING -> passes("is still loading its data");
      case OUT_OF_MEMORY ->
          passes("is out of memory and accepts no writes (OOM): raise its maxmemory");
      case READ_ONLY ->
          passes(
              "is a read-only replica: name its master or the Sentinels in sluice.redis.uri; if a"
                  + " failover is in progress, wait for its end");
      case OTHER -> passes("does not work: " + why);
      case ENCRYPTION ->
          stays(
              "cannot be reached by TLS: rediss:// needs a server that uses TLS, with a certificate"
                  + " that the JVM trusts ("
                  + why
                  + ")");
      case PASSWORD_MISSING ->
          stays("requires a password: redis://user:password@host:port in sluice.redis.uri");
      case PASSWORD_WRONG ->
          stays("does not accept this user and password: correct sluice.redis.uri");
      case NO_RIGHT ->
          stays(
              "gives its user too few rights; limiter/README.md lists the required ones ("
                  + why
                  + ")");
      case NOT_A_CLUSTER ->
          stays(
              "is not a Cluster, but a comma list means a Cluster: name one server in sluice.redis.uri");
      case OF_A_CLUSTER -> stays(OF_A_CLUSTER);
      case UNKNOWN_COMMAND ->
          stays(
              "lacks commands of Redis 6.2: it is older, or a Sentinel, whose URI begins with"
                  + " redis-sentinel:// ("
                  + why
                  + ")");
    };
  }
}
