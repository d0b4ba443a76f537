package io.sluice.embedded;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Real Kafka broker, with its own controller, inside this process. The broker listens only on the
 * loopback address, and answers from the return of {@link Builder#start} until {@link #close}.
 *
 * <p>Several brokers can run side by side. A fatal fault, with which a standalone broker ends its
 * JVM, is logged and completes {@link #failure}.
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

  /** Starts a broker on a free port, with temporary data. */
  public static EmbeddedKafka start() {
    return builder().start();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Returns the {@code bootstrap.servers} for clients. */
  public String bootstrapServers() {
    return LocalPort.LOOPBACK + ":" + port;
  }

  /**
   * Returns the client settings with which a user logs in, without {@code bootstrap.servers}; empty
   * if the broker has no users.
   *
   * @throws IllegalArgumentException if the broker has users, but not this one
   */
  public Map<String, String> login(String user) {
    return users.clientSettings(user);
  }

  public int port() {
    return port;
  }

  /**
   * Returns a stage that completes, with a one-line reason, only if the broker meets a fatal fault.
   * The broker then no longer answers, and must still be closed.
   */
  public CompletionStage<String> failure() {
    return broker.failure().minimalCompletionStage();
  }

  /** Stops the broker, and removes its data unless the caller gave the data folder. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) return;
    broker.stop();
    data.remove();
  }

  /** Builder of an {@link EmbeddedKafka}. */
  public static final class Builder {
    private int port;
    private Supplier<DataFolder> data = () -> DataFolder.temporary(FOLDER_PREFIX);
    private Map<String, String> settings = Map.of();
    private Users users = Users.NONE;
    private Map<String, String> logContext = Map.of();

    private Builder() {}

    /** Sets the broker's port; 0, the default, means a free port. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Sets a data folder that is kept: a broker that is later started on this folder has the
     * earlier data.
     */
    public Builder data(Path folder) {
      this.data = () -> DataFolder.kept(folder);
      return this;
    }

    /**
     * Sets broker settings, by their names in {@code server.properties}.
     *
     * @throws IllegalArgumentException if a setting is the role, an address or the data folder of
     *     the broker
     */
    public Builder settings(Map<String, String> settings) {
      BrokerSettings.requireNotOwn(settings);
      this.settings = Map.copyOf(settings);
      return this;
    }

    /**
     * Sets users and their passwords. Clients must log in as one of these users. The user {@code
     * admin}, who must be among them, has all rights; the other users have the rights that ACLs
     * grant. Without users, every client has all rights.
     *
     * @throws IllegalArgumentException if there is no user with the name {@code admin}
     */
    public Builder users(Map<String, String> passwords) {
      this.users = new Users(passwords);
      return this;
    }

    /**
     * Sets the logging context (SLF4J's MDC) of the broker's threads, which distinguishes the
     * broker's log lines from those of the rest of the process. The logging library must let
     * threads inherit the context.
     */
    public Builder logContext(Map<String, String> context) {
      this.logContext = Map.copyOf(context);
      return this;
    }

    /**
     * Starts the broker, and returns when the broker answers.
     *
     * @throws EmbeddedStartException if the broker cannot start; then no temporary data is left
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
