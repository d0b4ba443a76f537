package io.sluice.live.change;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.live.RevisionTopic;
import io.sluice.live.RevisionTopic.Written;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.Scope;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.LimitsTopicConfig;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Limits and revisions of an application as of the last reading of its topic of revisions, against
 * which changes are checked. Not thread-safe.
 */
public final class ChangeSession implements AutoCloseable {
  private final LimitsConfig config;
  private final RevisionTopic topic;
  private final InstantSource clock;
  private final Asker asker;
  private RevisionTopic.Contents contents;
  private LimitsInForce limits;

  /** Client that requests a change and receives the results: the command line or HTTP. */
  public interface Asker {
    /** Name of a request's field in the terms of this client, such as {@code --at}. */
    String named(String field);

    /** Receives a line of text about an effect of the change. */
    void says(String line);

    /** Receives a line of text about a probable mistake in the change. */
    void warns(String line);

    /**
     * Called when the revisions with these ids have been written.
     *
     * @param what result in one word, such as {@code published}
     */
    void wrote(String what, List<String> ids);

    /** Called when a dry run has found no mistakes; no revision was written. */
    void tried();
  }

  /**
   * A revision with its status and its last record.
   *
   * @param lateMs delay of the revision's first record after its effective time, in milliseconds; 0
   *     if it was on time or if this is not known
   */
  public record Entry(RevisionStatus status, Written written, long lateMs) {
    public LimitRevision revision() {
      return status.revision();
    }

    /** Status of the revision, as shown to users. */
    public String standing() {
      return status.standing().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Reasons why the revision is not in force, with times, one line each. */
    public List<String> refusals() {
      return Refusals.lines(status);
    }

    /** Writes the revision, its status and its refusals as fields of a JSON object. */
    public void write(JsonGenerator json) throws IOException {
      HistoryJson.write(this, json);
    }
  }

  private ChangeSession(
      LimitsConfig config, RevisionTopic topic, InstantSource clock, Asker asker) {
    this.config = config;
    this.topic = topic;
    this.clock = clock;
    this.asker = asker;
  }

  /**
   * Opens a session and reads the topic of revisions.
   *
   * @param topic of an application with {@code sluice.limits.live=true}
   * @throws io.sluice.rules.StartException if the topic cannot be read
   */
  public static ChangeSession open(
      LimitsConfig config, LimitsTopicConfig topic, InstantSource clock, Asker asker) {
    ChangeSession session = new ChangeSession(config, RevisionTopic.open(topic), clock, asker);
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

  /** Runs a change of limits and returns its mistakes; if there are none, the change was made. */
  public static List<String> mistakesOf(Runnable work) {
    try {
      work.run();
      return List.of();
    } catch (InvalidChangeException e) {
      return e.mistakes();
    }
  }

  public LimitsConfig config() {
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
   * Returns all revisions for some limits and events, in the order in which they take effect.
   *
   * @param limit name; empty for all limits. Revisions for every limit are always included
   * @param values such as {@code userId=eve} that the scope of a revision must contain; {@link
   *     #mistakesOf} returns mistakes in these values
   */
  public List<Entry> history(String limit, List<String> values) {
    List<String> mistakes = new ArrayList<>();
    Scope scope = NamedValues.scope(named("for"), values, mistakes);
    InvalidChangeException.throwIfAny(mistakes);
    List<Entry> all =
        new ArrayList<>(new RevisionHistory(this, limit, scope).newest(Integer.MAX_VALUE));
    Collections.reverse(all);
    return all;
  }

  /** Writes a record that is no valid revision as fields of a JSON object. */
  public static void write(RevisionTopic.Unreadable record, JsonGenerator json) throws IOException {
    HistoryJson.write(record, json);
  }

  @Override
  public void close() {
    topic.close();
  }
}
