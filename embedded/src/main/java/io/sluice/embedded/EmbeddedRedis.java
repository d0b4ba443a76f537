package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Real {@code redis-server}, in a child process of this process. The server listens only on the
 * loopback address, and answers from the return of {@link Builder#start} until {@link #close},
 * except while it is {@linkplain #pause paused} or {@linkplain #kill killed}. The server never
 * outlives the JVM.
 *
 * <p>Thread-safe. Needs a Unix with {@code sh} and {@code kill}.
 */
public final class EmbeddedRedis implements AutoCloseable {
  private final int port;
  private final List<String> command;
  private final DataFolder temporary;
  private RedisProcess process;
  private boolean closed;

  private EmbeddedRedis(int port, List<String> command, DataFolder temporary) {
    this.port = port;
    this.command = command;
    this.temporary = temporary;
    this.process = RedisProcess.start(port, command, temporary.path());
  }

  public static Builder builder() {
    return new Builder();
  }

  public int port() {
    return port;
  }

  /** Returns the address for clients: {@code redis://127.0.0.1:PORT}. */
  public String uri() {
    return "redis://%s:%d".formatted(LocalPort.LOOPBACK, port);
  }

  /** Returns the process id of the server; that of its last run if the server is not running. */
  public synchronized long pid() {
    return process.pid();
  }

  /** Ends the server like a crash (SIGKILL); {@link #start} starts it again. */
  public synchronized void kill() {
    process.kill();
  }

  /**
   * Starts a killed server again, on the same port and data folder; data that was only in memory is
   * lost.
   *
   * @throws IllegalStateException if the server is running, or was closed
   * @throws EmbeddedStartException if the server cannot start, for example because its port was
   *     taken
   */
  public synchronized void start() {
    if (closed) throw new IllegalStateException("closed");
    if (process.isAlive()) throw new IllegalStateException("already running");
    process = RedisProcess.start(port, command, temporary.path());
  }

  /**
   * Suspends the server (SIGSTOP): connections stay open, but nothing is answered.
   *
   * @throws IllegalStateException if the server is not running
   */
  public synchronized void pause() {
    requireRunning();
    process.signal("STOP");
  }

  /**
   * Resumes a paused server (SIGCONT).
   *
   * @throws IllegalStateException if the server is not running
   */
  public synchronized void resume() {
    requireRunning();
    process.signal("CONT");
  }

  private void requireRunning() {
    if (!process.isAlive()) throw new IllegalStateException("not running");
  }

  /**
   * Stops the server, even if it is paused, and removes its data unless the caller gave the data
   * folder.
   */
  @Override
  public synchronized void close() {
    if (closed) return;
    closed = true;
    if (process.isAlive()) process.stop();
    temporary.remove();
  }

  /** Builder of an {@link EmbeddedRedis}. */
  public static final class Builder {
    private int port;
    private Function<DataFolder, DataFolder> data = temporary -> temporary;
    private RedisBinary binary = RedisBinary.INSTALLED;
    private List<String> arguments = List.of();
    private List<String> sentinel = List.of();

    private Builder() {}

    /** Sets the server's port; 0, the default, means a free port. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /**
     * Sets a folder for the server's data, which is kept. Persistence is off unless {@link
     * #arguments} turn it on.
     */
    public Builder data(Path folder) {
      this.data = temporary -> DataFolder.kept(folder);
      return this;
    }

    /**
     * Adds arguments of {@code redis-server}, such as {@code "--cluster-enabled", "yes"}. They come
     * after the arguments that turn persistence off, so they can turn it on.
     */
    public Builder arguments(String... arguments) {
      this.arguments = List.of(arguments);
      return this;
    }

    /**
     * Runs the server as a Sentinel, with configuration lines such as {@code "sentinel monitor
     * primary 127.0.0.1 6379 1"}. Sentinel itself adds lines to the file with this configuration.
     */
    public Builder sentinel(String... configuration) {
      this.sentinel = List.of(configuration);
      return this;
    }

    /** Runs the bundled Redis 6.2 even if the PATH has a {@code redis-server}. */
    public Builder bundled() {
      this.binary = RedisBinary.BUNDLED;
      return this;
    }

    /**
     * Starts the server, and returns when the server answers.
     *
     * @throws EmbeddedStartException if the server cannot start; then no temporary data is left
     */
    public EmbeddedRedis start() {
      DataFolder temporary = DataFolder.temporary("sluice-redis-");
      try {
        Path executable = binary.find(temporary.path());
        Path folder = data.apply(temporary).path();
        return LocalPort.startOn(
            port,
            chosen -> {
              List<String> command =
                  sentinel.isEmpty()
                      ? command(executable, chosen, folder)
                      : sentinelCommand(executable, chosen, folder);
              return new EmbeddedRedis(chosen, command, temporary);
            });
      } catch (RuntimeException e) {
        temporary.remove();
        throw e;
      }
    }

    private List<String> command(Path executable, int chosen, Path folder) {
      List<String> command = new ArrayList<>();
      command.add(executable.toString());
      command.addAll(List.of("--port", Integer.toString(chosen), "--bind", LocalPort.LOOPBACK));
      command.addAll(List.of("--dir", folder.toString(), "--save", "", "--appendonly", "no"));
      command.addAll(arguments);
      return command;
    }

    /**
     * Returns the command that starts a Sentinel, and writes its configuration file, because a
     * Sentinel does not start without a file that it can write.
     */
    private List<String> sentinelCommand(Path executable, int chosen, Path folder) {
      Path file = folder.resolve("sentinel.conf");
      List<String> lines = new ArrayList<>();
      lines.addAll(List.of("port " + chosen, "bind " + LocalPort.LOOPBACK, "dir " + folder));
      lines.addAll(sentinel);
      try {
        Files.write(file, lines);
      } catch (IOException e) {
        throw new EmbeddedStartException(file + " could not be written: " + e.getMessage(), e);
      }
      List<String> command = new ArrayList<>(List.of(executable.toString(), file.toString()));
      command.add("--sentinel");
      command.addAll(arguments);
      return command;
    }
  }
}
