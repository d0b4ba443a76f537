package io.sluice.guarantees.bed;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Process of the Kafka broker. After a kill, a restart on the same data has all acknowledged
 * records: written data is in the operating system's page cache, which survives the process.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final Duration MOST_STARTING = Duration.ofMinutes(2);

  private final int port;
  private final Path data;
  private final Path log;
  private final List<String> settings;
  private Watched process;

  /**
   * @param settings additional broker settings, each as key=value
   */
  public BrokerProcess(Path folder, List<String> settings) throws IOException {
    this.settings = settings;
    data = folder.resolve("broker");
    log = folder.resolve("broker.log");
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = any.getLocalPort();
    }
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** Starts the broker's process, and returns when the broker answers. */
  public void start() throws InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-Xmx512m",
                "-Dguarantees.log=warn",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName(),
                Integer.toString(port),
                data.toString()));
    command.addAll(settings);
    process = Watched.start(command, Map.of(), log);
    Waiting.until("the broker answers", MOST_STARTING, this::isReadyOrEnded);
    if (!process.isAlive()) throw new IllegalStateException("the broker has ended; see " + log);
  }

  public void kill() {
    process.kill();
  }

  /** Suspends the broker (SIGSTOP): connections stay open, but nothing is answered. */
  public void freeze() {
    process.freeze();
  }

  public void thaw() {
    process.thaw();
  }

  /** Kills the process if it was ever started. */
  @Override
  public void close() {
    if (process != null) process.kill();
  }

  private boolean isReadyOrEnded() {
    return !process.isAlive() || process.said().contains(BrokerMain.READY);
  }
}
