package io.sluice.guarantees;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One place where an instance of Sluice runs, as people run it: its settings, its state, its log.
 */
final class Instance {
  private static final String READY = "Sluice is ready";
  private static final Map<String, String> JVM =
      Map.of("SLUICE_JAVA_OPTS", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

  private final String name;
  private final List<String> command;
  private final Path log;
  private Watched process;
  private boolean wanted;
  private int endings;

  Instance(String name, Path launcher, Path folder, List<String> settings) {
    this.name = name;
    log = folder.resolve(name + ".log");
    Path file = folder.resolve(name + ".properties");
    List<String> lines = new ArrayList<>(settings);
    lines.add("state.dir=" + folder.resolve(name + ".state"));
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    command = List.of(launcher.toString(), "run", "--config", file.toString());
  }

  synchronized void start() {
    wanted = true;
    process = Watched.start(command, JVM, log);
  }

  synchronized boolean isWanted() {
    return wanted;
  }

  synchronized boolean isReady() {
    return process != null && process.isAlive() && process.said().contains(READY);
  }

  /** As whoever runs it would: starts it again if it has ended, and remembers that it had. */
  synchronized void tend() {
    if (!wanted || process.isAlive()) return;
    endings++;
    start();
  }

  /** How often it ended although nobody had told it to, because a server was gone too long. */
  synchronized int endings() {
    return endings;
  }

  synchronized void kill() {
    wanted = false;
    process.kill();
  }

  synchronized void freeze() {
    process.freeze();
  }

  synchronized void thaw() {
    process.thaw();
  }

  synchronized void stop() throws InterruptedException {
    if (!wanted) return;
    wanted = false;
    if (!process.stop()) throw new IllegalStateException(this + " did not end when told to");
  }

  Path log() {
    return log;
  }

  @Override
  public String toString() {
    return name;
  }
}
