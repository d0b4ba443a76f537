package io.sluice.server.change;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.server.web.Route.Reply;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Response to an HTTP request that changes limits: collects the results of the change. Not
 * thread-safe.
 */
final class ChangeResponse implements ChangeSession.Asker {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeResponse.class);

  private final String about;
  private final boolean dryRun;
  private final List<String> said = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();

  /**
   * Creates an empty response.
   *
   * @param about name of the requested change, for the log
   */
  ChangeResponse(String about, boolean dryRun) {
    this.about = about;
    this.dryRun = dryRun;
  }

  @Override
  public String named(String field) {
    return field.equals("limit") ? "the path" : field;
  }

  @Override
  public void says(String line) {
    said.add(line);
  }

  @Override
  public void warns(String line) {
    warnings.add(line);
  }

  /**
   * Collects the ids of the written revisions, and logs them without the scope, which may contain
   * user ids.
   */
  @Override
  public void wrote(String what, List<String> all) {
    ids.addAll(all);
    List<String> shown = all.stream().map(RevisionFormatter::plain).toList();
    LOG.info("{} over HTTP: {} {}", about, what, String.join(" ", shown));
  }

  @Override
  public void tried() {
    // The field dryRun of the response already says that this is a dry run.
  }

  boolean hasWritten() {
    return !ids.isEmpty();
  }

  private record Body(
      List<String> published, boolean dryRun, List<String> said, List<String> warnings) {}

  Reply reply() {
    return Reply.of(new Body(ids, dryRun, said, warnings));
  }
}
