package io.sluice.topology.change;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.live.RevisionTopic.Written;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.Scope;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * An application's limits and their revisions, as they were when its topic was read. For one
 * thread.
 */
public final class Session implements AutoCloseable {
  private final SluiceConfig config;
  private final RevisionTopic topic;
  private final InstantSource clock;
  private final Asker asker;
  private RevisionTopic.Contents contents;
  private LimitsInForce limits;

  /** Whoever asks for a change, and is told what becomes of it. */
  public interface Asker {
    /** What the asker calls a field, such as {@code --at}. */
    String named(String field);

    /** A line about what the change makes of the limits. */
    void says(String line);

    /** A line about what is probably not intended. */
    void warns(String line);

    /**
     * These revisions are written.
     *
     * @param what became of them, in a word
     */
    void wrote(String what, List<String> ids);

    /** All is well, and nothing was written, as was asked. */
    void tried();
  }

  /**
   * A revision, and what became of it.
   *
   * @param lateMs how long after it took effect it came; 0 if it did not, or nobody knows
   */
  public record Entry(RevisionStatus status, Written written, long lateMs) {
    public LimitRevision revision() {
      return status.revision();
    }

    /** As it is said and written. */
    public String standing() {
      return status.standing().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** When and why it is not in force, a line each. */
    public List<String> refusals() {
      return Refusals.lines(status);
    }

    /** Its fields in JSON. */
    public void write(JsonGenerator json) throws IOException {
      HistoryJson.write(this, json);
    }
  }

  private Session(SluiceConfig config, InstantSource clock, Asker asker) {
    this.config = config;
    this.clock = clock;
    this.asker = asker;
    topic = RevisionTopic.open(config);
  }

  /**
   * Reads everything.
   *
   * @param config of an application whose limits are live
   * @throws io.sluice.topology.metrics.StartException if the topic cannot be read
   */
  public static Session open(SluiceConfig config, InstantSource clock, Asker asker) {
    Session session = new Session(config, clock, asker);
    try {
      session.read();
      return session;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  void read() {
    contents = topic.read();
    List<LimitRevision> all = contents.revisions().stream().map(Written::revision).toList();
    limits = LimitsInForce.of(config).with(all);
  }

  /** Does it, and tells each mistake that kept it from being done; none if it was done. */
  public static List<String> mistakesOf(Runnable work) {
    try {
      work.run();
      return List.of();
    } catch (MistakenException e) {
      return e.mistakes();
    }
  }

  public SluiceConfig config() {
    return config;
  }

  RevisionTopic topic() {
    return topic;
  }

  public RevisionTopic.Contents contents() {
    return contents;
  }

  public LimitsInForce limits() {
    return limits;
  }

  public long nowMs() {
    return clock.millis();
  }

  Asker asker() {
    return asker;
  }

  String named(String field) {
    return asker.named(field);
  }

  /**
   * All revisions of some limits and events, in the order in which they hold.
   *
   * @param limit empty for all of them; those for every limit are among those of each
   * @param values such as {@code userId=eve}: what the scope of a revision must have, and may have
   *     more; a mistake in them is told by {@link #mistakesOf}
   */
  public List<Entry> history(String limit, List<String> values) {
    List<String> mistakes = new ArrayList<>();
    Scope scope = Given.scope(named("for"), values, mistakes);
    MistakenException.throwIfAny(mistakes);
    List<Entry> all = new ArrayList<>(new Chronicle(this, limit, scope).newest(Integer.MAX_VALUE));
    Collections.reverse(all);
    return all;
  }

  /** The fields of a record that is no revision, in JSON. */
  public static void write(RevisionTopic.Unreadable record, JsonGenerator json) throws IOException {
    HistoryJson.write(record, json);
  }

  @Override
  public void close() {
    topic.close();
  }
}
