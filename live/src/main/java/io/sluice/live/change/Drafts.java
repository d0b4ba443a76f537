package io.sluice.live.change;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Factory of draft revisions from the fields that all requested changes have, such as scope and
 * times.
 */
record Drafts(ChangeSession session, RequestedChanges.Asked asked, long nowMs) {
  Scope scope() {
    List<String> mistakes = new ArrayList<>();
    Scope scope = scope(mistakes);
    InvalidChangeException.throwIfAny(mistakes);
    return scope;
  }

  private Scope scope(List<String> mistakes) {
    // The values stay as they are typed: they get the form of events where revisions are in force,
    // and a function must not be applied twice.
    return NamedValues.scope(session.named("for"), asked.values(), mistakes);
  }

  long atMs() {
    return Times.read(session.named("at"), asked.at(), nowMs);
  }

  /**
   * Drafts a revision with the requested scope and times.
   *
   * @throws InvalidChangeException with all mistakes in them
   */
  LimitRevision draft(String limit, Settings set) {
    List<String> mistakes = new ArrayList<>();
    Scope scope = scope(mistakes);
    long from = time("at", asked.at(), mistakes);
    long end =
        asked.until().isEmpty() ? LimitRevision.FOR_GOOD : time("until", asked.until(), mistakes);
    InvalidChangeException.throwIfAny(mistakes);
    return draft(limit, scope, set, from, end);
  }

  private long time(String field, String text, List<String> mistakes) {
    try {
      return Times.read(session.named(field), text, nowMs);
    } catch (InvalidChangeException e) {
      mistakes.addAll(e.mistakes());
      return nowMs;
    }
  }

  /**
   * Drafts a revision of a limit for the given scope, from one time until another in epoch
   * milliseconds.
   */
  LimitRevision draft(String limit, Scope scope, Settings set, long fromMs, long untilMs) {
    String id = UUID.randomUUID().toString();
    return RevisionPublisher.readable(
        new LimitRevision(id, limit, scope, set, fromMs, untilMs, asked.by(), asked.note()));
  }
}
