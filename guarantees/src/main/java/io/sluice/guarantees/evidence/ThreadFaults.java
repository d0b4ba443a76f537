package io.sluice.guarantees.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.scenario.FaultKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Stream threads that lost their partitions because they were late, or that failed, as the logs of
 * the instances say. It has the effect of a kill: the open transaction is aborted, and another
 * thread takes over.
 */
public final class ThreadFaults {
  private static final Pattern FENCED =
      Pattern.compile("(\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) WARN .* the thread is being fenced\\..*");

  private static final Pattern FAILED =
      Pattern.compile(
          "(\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) ERROR ThreadKeeper: a stream thread failed and is replaced.*");

  /** Time before a thread notices, in which it may already have lost its partitions. */
  private static final Duration UNNOTICED = Duration.ofSeconds(10);

  private final Path folder;

  ThreadFaults(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads from the logs which threads lost their partitions.
   *
   * @param aboutMs an instant of the run in epoch milliseconds, since the logs have no dates
   */
  List<Lasted> fenced(long aboutMs) {
    return all(FENCED, aboutMs);
  }

  /**
   * Reads from the logs which threads failed, such as by the Kafka bug KAFKA-20731.
   *
   * @param aboutMs an instant of the run in epoch milliseconds, since the logs have no dates
   */
  List<Lasted> failed(long aboutMs) {
    return all(FAILED, aboutMs);
  }

  private List<Lasted> all(Pattern line, long aboutMs) {
    List<Lasted> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path log : files.filter(ThreadFaults::isOfInstance).toList()) {
        // Keys in messages may have any bytes.
        new String(Files.readAllBytes(log), UTF_8)
            .lines()
            .map(line::matcher)
            .filter(Matcher::matches)
            .forEach(found -> all.add(fault(LocalTime.parse(found.group(1)), aboutMs)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
  }

  private static boolean isOfInstance(Path file) {
    return file.getFileName().toString().matches("instance-\\d+\\.log");
  }

  private static Lasted fault(LocalTime time, long aboutMs) {
    ZonedDateTime about = Instant.ofEpochMilli(aboutMs).atZone(ZoneId.systemDefault());
    ZonedDateTime sameDay = about.with(time);
    long hours = Duration.between(about, sameDay).toHours();
    long days = hours > 12 ? -1 : hours < -12 ? 1 : 0;
    long atMs = sameDay.plusDays(days).toInstant().toEpochMilli();
    return new Lasted(FaultKind.KILL, atMs - UNNOTICED.toMillis(), atMs);
  }
}
