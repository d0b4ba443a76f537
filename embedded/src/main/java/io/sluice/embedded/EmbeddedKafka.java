package io.sluice.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A real Kafka broker, with its own controller, inside this process. It listens on the loopback
 * address only and answers from the moment {@link Builder#start} returns until {@link #close}.
 *
 * <p>Any number can run side by side. A fatal fault of the broker, which ends the JVM of a broker
 * that has one to itself, is logged and reported by {@link #failure} here.
 */
public final class EmbeddedKafka implements AutoCloseable {
  static final String FOLDER_PREFIX = "sluice-kafka-";
  private static final String NAME = "the Kafka broker";

  private final int port;
  private final Broker broker;
  private final DataFolder data;
  private final Users users;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedKafka(int port, Broker broker, DataFolder data, Users users) {
    this.users = users;
    this.port = port;
    this.broker = broker;
    this.data = data;
  }

  /** Starts a broker on a port of its choice, with data that is gone when it is closed. */
  public static EmbeddedKafka start() {
    return builder().start();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What clients take as {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return LocalPort.LOOPBACK + ":" + port;
  }

  /**
   * What a client needs beside {@code bootstrap.servers} to log in; nothing if there are no users.
   *
   * @throws IllegalArgumentException if there are users, and not this one
   */
  public Map<String, String> login(String user) {
    return users.clientSettings(user);
  }

  public int port() {
    return port;
  }

  /**
   * Completes, with a line that says so, if the broker meets a fault that it cannot go on from. It
   * then does not answer any more, and still has to be closed. Does not complete otherwise.
   */
  public CompletionStage<String> failure() {
    return broker.failure().minimalCompletionStage();
  }

  /** Stops the broker, and removes its data unless a folder was given. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) return;
    broker.stop();
    data.remove();
  }

  /** The settings of an {@link EmbeddedKafka}. */
  public static final class Builder {
    private int port;
    private Supplier<DataFolder> data = () -> DataFolder.temporary(FOLDER_PREFIX);
    private Map<String, String> settings = Map.of();
    private Users users = Users.NONE;
    private Map<String, String> logContext = Map.of();

    private Builder() {}

    /** The port to listen on; 0, the default, takes one that is free. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** A folder that keeps the data: a broker started on it again has all it had. */
    public Builder data(Path folder) {
      this.data = () -> DataFolder.kept(folder);
      return this;
    }

    /**
     * Broker settings, by the names they have in {@code server.properties}.
     *
     * @throws IllegalArgumentException if there is one that says what the broker is, where it
     *     listens or where its data is
     */
    public Builder settings(Map<String, String> settings) {
      BrokerSettings.requireNotOwn(settings);
      this.settings = Map.copyOf(settings);
      return this;
    }

    /**
     * Users with their passwords: clients must log in as one of them, and {@code admin}, who must
     * be among them, may do everything, all others only what ACLs allow. Without users everybody
     * may do everything.
     *
     * @throws IllegalArgumentException if there is none named {@code admin}
     */
    public Builder users(Map<String, String> passwords) {
      this.users = new Users(passwords);
      return this;
    }

    /**
     * What the broker's threads have in their logging context (slf4j's MDC), so that what it logs
     * can be told from what this process does. The logging library must let threads inherit it.
     */
    public Builder logContext(Map<String, String> context) {
      this.logContext = Map.copyOf(context);
      return this;
    }

    /**
     * Returns when the broker answers.
     *
     * @throws EmbeddedStartException if it cannot be started; nothing is left behind then
     */
    public EmbeddedKafka start() {
      DataFolder folder = data.get();
      try {
        return LocalPort.startOn(port, chosen -> start(chosen, folder));
      } catch (RuntimeException e) {
        folder.remove();
        throw e;
      }
    }

    private EmbeddedKafka start(int brokerPort, DataFolder folder) {
      LocalPort.requireFree(NAME, brokerPort);
      return LocalPort.startOn(0, controllerPort -> start(brokerPort, controllerPort, folder));
    }

    private EmbeddedKafka start(int brokerPort, int controllerPort, DataFolder folder) {
      LocalPort.requireFree(NAME, brokerPort, controllerPort);
      Broker broker =
          Broker.start(
              NAME,
              brokerPort,
              folder.path(),
              BrokerSettings.of(brokerPort, controllerPort, folder.path(), settings, users),
              users.clientSettings(Users.ADMINISTRATOR),
              logContext);
      return new EmbeddedKafka(brokerPort, broker, folder, users);
    }
  }
}
