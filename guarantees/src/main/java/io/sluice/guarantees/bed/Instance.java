package io.sluice.guarantees.bed;

import io.sluice.guarantees.evidence.Lives;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Process of an instance of Sluice, started with the public launcher, with its own settings, state
 * folder and log. Thread-safe.
 */
public final class Instance {
  private static final String READY = "Sluice is ready";
  private static final String TOO_LATE =
      "answers, but the brokers that it lists (their advertised.listeners) do not, or not in time";
  private static final Map<String, String> JVM =
      Map.of("SLUICE_JAVA_OPTS", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

  /** Maximum time until an instance must have replaced its failed stream threads. */
  private static final Duration MOST_REPLACING = Duration.ofSeconds(60);

  private final String name;
  private final List<String> command;
  private final Path log;
  private final Path file;
  private final int threads;
  private final Scrape scrape = new Scrape();
  private final Lives lives;
  private final Outages outages;
  private Watched process;
  private long startNanos;
  private boolean wanted;

  /** Whether the process was frozen since its last start. */
  private boolean wasFrozen;

  Instance(
      String name,
      Path launcher,
      Path folder,
      List<String> settings,
      int threads,
      Lives lives,
      Outages outages) {
    this.name = name;
    this.threads = threads;
    this.lives = lives;
    this.outages = outages;
    log = folder.resolve(name + ".log");
    file = folder.resolve(name + ".properties");
    List<String> lines = new ArrayList<>(settings);
    lines.add("num.stream.threads=" + threads);
    lines.add("sluice.http.port=" + scrape.port());
    lines.add("state.dir=" + folder.resolve(name + ".state"));
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    command = List.of(launcher.toString(), "run", "--config", file.toString());
  }

  public synchronized void start() {
    wanted = true;
    wasFrozen = false;
    startNanos = System.nanoTime();
    process = Watched.start(command, JVM, log);
    lives.started(name);
  }

  public synchronized boolean isWanted() {
    return wanted;
  }

  synchronized boolean isReady() {
    return process != null && process.isAlive() && process.said().contains(READY);
  }

  /**
   * Restarts the instance if it has ended by itself, as an operator would, and records a failure,
   * unless it was starting while a server that it needs was down.
   */
  synchronized void tend() {
    if (!wanted || process.isAlive()) return;
    String ended =
        "%s ended by itself with exit code %d; see %s: %s"
            .formatted(name, process.exitCode(), log, process.lastSaid());
    // An instance that was ready must stay up. While an instance starts, it may end if a server
    // that it needs is down, or if it stands still for longer than its requests may take.
    Optional<String> cause =
        process.said().contains(READY)
            ? Optional.empty()
            : outages.since(startNanos).or(() -> frozen(process.lastSaid()));
    cause.ifPresentOrElse(why -> lives.excused(ended, why), () -> lives.broken(ended));
    start();
  }

  /**
   * Returns the cause if an instance has ended because it stood still during its first requests.
   */
  private Optional<String> frozen(String lastSaid) {
    return wasFrozen && lastSaid.endsWith(TOO_LATE)
        ? Optional.of("the run froze it")
        : Optional.empty();
  }

  /** Records a failure if not all stream threads of the instance run within 60 s. */
  void requireWhole() throws InterruptedException {
    if (!isWanted()) return;
    long sinceNanos = System.nanoTime();
    while (scrape.aliveThreads() != threads) {
      tend();
      if (System.nanoTime() - sinceNanos > MOST_REPLACING.toNanos()) {
        lives.broken(
            "%s has %d of %d threads, and none is replaced; see %s"
                .formatted(name, scrape.aliveThreads(), threads, log));
        return;
      }
      Waiting.pass(MOST_REPLACING.toMillis() / 100);
    }
  }

  public synchronized void kill() {
    wanted = false;
    process.kill();
  }

  public synchronized void freeze() {
    wasFrozen = true;
    process.freeze();
  }

  public synchronized void thaw() {
    process.thaw();
  }

  public synchronized void stop() throws InterruptedException {
    if (!wanted) return;
    wanted = false;
    if (!process.stop()) lives.broken(name + " did not end when told to; see " + log);
  }

  /**
   * Returns the HTTP status of {@code /health/live} or {@code /health/ready}; 0 if the instance
   * does not answer.
   */
  public int health(String endpoint) throws InterruptedException {
    return scrape.health(endpoint);
  }

  /**
   * Returns the sum of a metric's values over all labels; 0 if the instance does not serve the
   * metric.
   */
  public double metric(String name) throws InterruptedException {
    return scrape.metric(name);
  }

  /** Returns how often a text occurs in the instance's output since its last start. */
  public synchronized int timesSaid(String text) {
    return process.said().split(Pattern.quote(text), -1).length - 1;
  }

  /** Returns the properties file of the instance. */
  Path settings() {
    return file;
  }

  public Path log() {
    return log;
  }

  @Override
  public String toString() {
    return name;
  }
}
