package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A real {@code redis-server} as a child of this process. It listens on the loopback address only
 * and answers from the moment {@link Builder#start} returns until {@link #close}, except while it
 * is {@linkplain #pause paused} or {@linkplain #kill killed}. It never outlives the JVM.
 *
 * <p>Safe for use by several threads. Needs a Unix: {@code sh} and {@code kill}.
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

  /** Where clients find it: {@code redis://127.0.0.1:PORT}. */
  public String uri() {
    return "redis://%s:%d".formatted(LocalPort.LOOPBACK, port);
  }

  /** The process id of the server, or of its last run if it does not run. */
  public synchronized long pid() {
    return process.pid();
  }

  /** Ends the server as a crash would (SIGKILL); {@link #start} brings it back. */
  public synchronized void kill() {
    process.kill();
  }

  /**
   * Starts a server that was killed, on its port and its data; what was only in memory is lost.
   *
   * @throws IllegalStateException if it is running, or closed
   * @throws EmbeddedStartException if it cannot be started, for instance as the port was taken
   */
  public synchronized void start() {
    if (closed) throw new IllegalStateException("closed");
    if (process.isAlive()) throw new IllegalStateException("already running");
    process = RedisProcess.start(port, command, temporary.path());
  }

  /**
   * Stops the server in its tracks (SIGSTOP): connections stay open, nothing is answered.
   *
   * @throws IllegalStateException if it does not run
   */
  public synchronized void pause() {
    requireRunning();
    process.signal("STOP");
  }

  /**
   * Lets a paused server go on (SIGCONT).
   *
   * @throws IllegalStateException if it does not run
   */
  public synchronized void resume() {
    requireRunning();
    process.signal("CONT");
  }

  private void requireRunning() {
    if (!process.isAlive()) throw new IllegalStateException("not running");
  }

  /** Stops the server, paused or not, and removes its data unless a folder was given. */
  @Override
  public synchronized void close() {
    if (closed) return;
    closed = true;
    if (process.isAlive()) process.stop();
    temporary.remove();
  }

  /** The settings of an {@link EmbeddedRedis}. */
  public static final class Builder {
    private int port;
    private Function<DataFolder, DataFolder> data = temporary -> temporary;
    private RedisBinary binary = RedisBinary.INSTALLED;
    private List<String> arguments = List.of();
    private List<String> sentinel = List.of();

    private Builder() {}

    /** The port to listen on; 0, the default, takes one that is free. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** A folder for what the arguments tell the server to keep; alone, they tell it nothing. */
    public Builder data(Path folder) {
      this.data = temporary -> DataFolder.kept(folder);
      return this;
    }

    /**
     * Further arguments of {@code redis-server}, such as {@code "--cluster-enabled", "yes"}. They
     * come after those that turn persistence off, and so can turn it on.
     */
    public Builder arguments(String... arguments) {
      this.arguments = List.of(arguments);
      return this;
    }

    /**
     * Runs it as a Sentinel: with lines such as {@code "sentinel monitor primary 127.0.0.1 6379
     * 1"}, to which it adds what it learns.
     */
    public Builder sentinel(String... configuration) {
      this.sentinel = List.of(configuration);
      return this;
    }

    /** Takes the bundled Redis 6.2 even if there is a {@code redis-server} on the PATH. */
    public Builder bundled() {
      this.binary = RedisBinary.BUNDLED;
      return this;
    }

    /**
     * Returns when the server answers.
     *
     * @throws EmbeddedStartException if it cannot be started; nothing is left behind then
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

    /** A Sentinel will not start without a file that it may write to. */
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
