package io.sluice.live.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.Scope;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UndoRequestTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private static LimitRevision revision(long fromMs, long untilMs, String note) {
    Settings set = new Settings(Map.of("quota", "10/60s"), Set.of());
    return new LimitRevision(
        "launch", "reply", Scope.WHOLE, set, NOW_MS + fromMs, untilMs, "ada", note);
  }

  private static LimitRevision end(LimitRevision one) {
    return UndoRequest.end(one, "bob", "", NOW_MS);
  }

  @Test
  void onlyWhatIsFurtherAheadThanAnyInstanceIsBehindIsTakenBack() {
    assertThat(UndoRequest.isAhead(revision(2_001, LimitRevision.FOR_GOOD, ""), NOW_MS)).isTrue();
    assertThat(UndoRequest.isAhead(revision(2_000, LimitRevision.FOR_GOOD, ""), NOW_MS)).isFalse();
  }

  @Test
  void whatIsInForceEndsInTwoSecondsAndIsTheSameOtherwise() {
    LimitRevision one = revision(-1_000, LimitRevision.FOR_GOOD, "launch day");
    LimitRevision ended = end(one);
    assertThat(ended)
        .isEqualTo(
            new LimitRevision(
                one.id(),
                one.limit(),
                one.scope(),
                one.set(),
                one.effectiveAtMs(),
                NOW_MS + 2_000,
                "ada",
                "launch day; undone by bob"));
    assertThat(end(revision(2_000, LimitRevision.FOR_GOOD, "")).untilMs())
        .isEqualTo(NOW_MS + 2_001);
  }

  @Test
  void whatHasEndedOrIsAboutToSaysSo() {
    assertThatThrownBy(() -> end(revision(-1_000, NOW_MS, "")))
        .hasMessage("launch has ended, at 2023-11-14T22:13:20Z");
    assertThatThrownBy(() -> end(revision(-1_000, NOW_MS + 2_000, "")))
        .hasMessage("launch ends anyway, at 2023-11-14T22:13:22Z");
    assertThat(end(revision(-1_000, NOW_MS + 2_001, "")).untilMs()).isEqualTo(NOW_MS + 2_000);
  }

  /** A note has at most 1000 characters, and no half of a surrogate pair. */
  @Test
  void ofALongNoteAsMuchStaysAsThereIsRoomFor() {
    LimitRevision ended = end(revision(0, LimitRevision.FOR_GOOD, "\uD83D\uDE80".repeat(500)));
    assertThat(ended.note()).startsWith("\uD83D\uDE80").endsWith("; undone by bob");
    assertThat(RevisionPublisher.readable(ended).note()).isEqualTo(ended.note());
    LimitRevision full =
        UndoRequest.end(revision(0, LimitRevision.FOR_GOOD, "n"), "bob", "y".repeat(985), NOW_MS);
    assertThat(full.note()).isEqualTo("undone by bob: " + "y".repeat(985));
  }
}
