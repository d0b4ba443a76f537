package io.sluice.cli.limits;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;

/** An application's limits and their revisions, as they were when its topic was read. */
final class Session implements AutoCloseable {
  private final SluiceConfig config;
  private final RevisionTopic topic;
  private final Clock clock;
  private final PrintWriter out;
  private final PrintWriter err;
  private RevisionTopic.Contents contents;
  private LimitsInForce limits;

  /**
   * Reads everything.
   *
   * @throws io.sluice.topology.metrics.StartException if the topic cannot be read
   */
  Session(SluiceConfig config, Clock clock, PrintWriter out, PrintWriter err) {
    this.config = config;
    this.clock = clock;
    this.out = out;
    this.err = err;
    topic = RevisionTopic.open(config);
    read();
  }

  void read() {
    contents = topic.read();
    List<LimitRevision> all =
        contents.revisions().stream().map(RevisionTopic.Written::revision).toList();
    limits = LimitsInForce.of(config).with(all);
  }

  SluiceConfig config() {
    return config;
  }

  RevisionTopic topic() {
    return topic;
  }

  RevisionTopic.Contents contents() {
    return contents;
  }

  LimitsInForce limits() {
    return limits;
  }

  long nowMs() {
    return clock.millis();
  }

  void say(String line) {
    out.println(line);
  }

  void warn(String line) {
    err.println("warning: " + line);
  }

  PrintWriter out() {
    return out;
  }

  @Override
  public void close() {
    out.flush();
    topic.close();
  }
}
