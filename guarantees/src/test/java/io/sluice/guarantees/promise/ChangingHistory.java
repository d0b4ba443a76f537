package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.Revision.FOR_GOOD;

import io.sluice.guarantees.evidence.Revisions;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class of tests with a hand-made history in which limits change. */
abstract class ChangingHistory {
  static final String TUNE = ChangingLimits.STORED;
  static final long FILE = ChangingLimits.PERMITS_OF_FILE;

  @TempDir Path folder;
  Revisions revisions;
  HandMade run;

  @BeforeEach
  void begin() {
    begin(Modes.plain());
  }

  void begin(Modes modes) {
    run = new HandMade(modes, folder);
    revisions = run.notes().revisions();
  }

  void judgedBy(long permits, long atAfterNoonMs, long publishedAfterNoonMs) {
    run.allowedBy(run.published(TUNE, atAfterNoonMs, publishedAfterNoonMs), permits - 1);
  }

  void acknowledged(long afterNoonMs, Revision revision) {
    revisions.acknowledged(revision, NOON_MS + afterNoonMs);
  }

  static Revision quota(String id, long permits, long from, long until) {
    Revision quota = of(id, TUNE, "", "quota", ChangingLimits.quota(permits), from, Kind.HOLDS);
    return until == FOR_GOOD ? quota : quota.until(NOON_MS + until);
  }

  static Revision verdict(String id, String limit, String user, String verdict, long from) {
    return of(id, limit, user, "verdict", verdict, from, Kind.HOLDS);
  }

  static Revision of(
      String id, String limit, String user, String set, String text, long from, Kind kind) {
    return new Revision(id, limit, user, set, text, NOON_MS + from, FOR_GOOD, kind);
  }

  List<String> violations() {
    return run.violationsOf(new RightRule());
  }

  long cases() {
    return new RightRule().cases(run.history());
  }
}
