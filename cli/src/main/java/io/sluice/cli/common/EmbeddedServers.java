package io.sluice.cli.common;

import io.sluice.embedded.EmbeddedKafka;
import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.EmbeddedStartException;
import io.sluice.rules.event.Keys;
import io.sluice.topology.config.SluiceConfig;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kafka broker and Redis server that a command starts on this machine. */
public final class EmbeddedServers implements AutoCloseable {
  private static final String BOOTSTRAP = "bootstrap.servers";
  private static final Pattern ADDRESS =
      Pattern.compile("[a-z]+://(?:.*@)?(?<host>[^:/@]+)(?::(?<port>[0-9]{1,5}))?(?:/.*)?");

  private final Running running = new Running();
  private String bootstrapServers = "";
  private String redisUri = "";
  private BrokerLog log = BrokerLog.NONE;

  private EmbeddedServers() {}

  /** Starts Kafka on the port {@code kafkaPort} (0 for a free port), and Redis on a free port. */
  public static EmbeddedServers start(int kafkaPort) {
    return start(
        servers -> {
          servers.addRedis(0);
          servers.addKafka(kafkaPort);
        });
  }

  /**
   * Starts Kafka on the port in {@code bootstrap.servers}, and, if a limit uses Redis, Redis on the
   * port in {@code sluice.redis.uri}.
   *
   * @param progress receives a line before each server starts
   */
  public static EmbeddedServers startFor(SluiceConfig config, Consumer<String> progress) {
    String bootstrap = config.streams().getProperty(BOOTSTRAP);
    int comma = bootstrap.indexOf(',');
    String first = (comma < 0 ? bootstrap : bootstrap.substring(0, comma)).trim();
    int kafka = port(BOOTSTRAP, "kafka://" + first, 9092);
    OptionalInt redis =
        config.usesRedis() ? OptionalInt.of(redisPort(config.redisUri())) : OptionalInt.empty();
    return start(
        servers -> {
          redis.ifPresent(
              port -> {
                progress.accept("Starting Redis on port " + port + " ...");
                withNextStep(Keys.REDIS_URI, () -> servers.addRedis(port));
              });
          progress.accept("Starting Kafka on port " + kafka + " ...");
          withNextStep(BOOTSTRAP, () -> servers.addKafka(kafka));
        });
  }

  private static int redisPort(String uri) {
    if (!uri.matches("redis://[^,]*")) {
      throw new CommandFailedException(
          "--embedded starts one Redis without TLS: sluice.redis.uri must be like"
              + " redis://localhost:6379");
    }
    return port(Keys.REDIS_URI, uri, 6379);
  }

  /**
   * Returns the port of an address, which must be on localhost. Error messages leave out the user
   * and password of the address.
   */
  private static int port(String key, String address, int usual) {
    Matcher uri = ADDRESS.matcher(address);
    if (!uri.matches() || !uri.group("host").matches("localhost|127\\.0\\.0\\.1")) {
      throw new CommandFailedException(
          "--embedded starts servers on localhost only, but "
              + key
              + " names "
              + (uri.matches() ? uri.group("host") : "another host"));
    }
    return uri.group("port") == null ? usual : Integer.parseInt(uri.group("port"));
  }

  private static void withNextStep(String key, Runnable start) {
    try {
      start.run();
    } catch (RuntimeException e) { // a distribution may lack EmbeddedStartException
      boolean isTaken = String.valueOf(e.getMessage()).contains("could not listen on");
      if (!(e instanceof EmbeddedStartException && isTaken)) throw e;
      throw new CommandFailedException(
          e.getMessage()
              + "; stop the server on this port, or set another port in "
              + key
              + ", or use the running servers, without --embedded",
          e);
    }
  }

  /** Starts only Redis, on a free port. */
  public static EmbeddedServers startRedis() {
    return start(servers -> servers.addRedis(0));
  }

  private static EmbeddedServers start(Consumer<EmbeddedServers> these) {
    EmbeddedServers servers = new EmbeddedServers();
    try {
      these.accept(servers);
      return servers;
    } catch (RuntimeException e) {
      String log = servers.keptLog();
      servers.close();
      if (!(e instanceof EmbeddedStartException)) throw e;
      throw new CommandFailedException(e.getMessage() + log, e);
    } catch (NoClassDefFoundError e) {
      throw new CommandFailedException(
          "this distribution has no embedded servers; start Kafka and Redis separately", e);
    }
  }

  private void addRedis(int port) {
    redisUri = running.add(EmbeddedRedis.builder().port(port).start()).uri();
  }

  private void addKafka(int port) {
    log = running.add(BrokerLog.create());
    EmbeddedKafka.Builder kafka = EmbeddedKafka.builder().port(port).logContext(log.context());
    bootstrapServers = running.add(kafka.start()).bootstrapServers();
  }

  /**
   * Keeps the broker's log file after close, and returns the end of an error message that names the
   * file.
   */
  public String keptLog() {
    return log.keep();
  }

  /** Returns the broker's address; empty if no broker was started. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  public String redisUri() {
    return redisUri;
  }

  @Override
  public void close() {
    running.close();
  }
}
