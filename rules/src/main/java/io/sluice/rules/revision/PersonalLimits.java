package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the limits that meter one event at an instant, with the overrides for this event. For one
 * thread.
 */
final class PersonalLimits {
  private final RevisionIndex index;
  private final Event event;
  private final long ms;

  /**
   * Timeline, for this event, of the revisions with the limit {@code *}, which are for all limits.
   */
  private final Timeline every;

  private boolean enforcedMatches;
  private boolean isExempt;
  private boolean isDenied;
  private Optional<Limit> denying = Optional.empty();

  /**
   * Returns the limits that meter an event, or its verdict if no metering is needed.
   *
   * @param wholes limits that match the event, without overrides for some events
   */
  static Matching of(RevisionIndex index, Matching wholes, Event event, long ms) {
    if (!index.every().isPersonal() && wholes.stored().size() + wholes.remote().size() == 1) {
      SharedTreatment only = index.history(wholes.first().name()).settled(event).at(ms);
      if (only.isMetered()) return only.alone();
    }
    return new PersonalLimits(index, event, ms).matching(wholes, List.of());
  }

  PersonalLimits(RevisionIndex index, Event event, long ms) {
    this.index = index;
    this.event = event;
    this.ms = ms;
    every = index.every().timeline(event);
  }

  /**
   * Returns the limits that meter the event, or its verdict if no metering is needed.
   *
   * @param wholes limits that match the event, without overrides for some events
   * @param skipped limits that would match the event if it did not lack their keys; they do not
   *     meter it, but revisions of them may deny or exempt it
   */
  Matching matching(Matching wholes, List<Limit> skipped) {
    List<Limit> stored = metered(wholes.stored());
    List<Limit> remote = metered(wholes.remote());
    for (int i = 0; i < skipped.size(); i++) takeVerdict(skipped.get(i));
    TreatedLimit.Treatment ofAll = ofAll();
    if (!enforcedMatches && ofAll == TreatedLimit.Treatment.REJECT) isDenied = true;
    if (isDenied) return Matching.settled(Verdict.denied(denying));
    if (!stored.isEmpty() || !remote.isEmpty()) return Matching.of(stored, remote);
    boolean nothingMatches = wholes.settled().isPresent() && !isExempt;
    boolean exempt = !nothingMatches || ofAll == TreatedLimit.Treatment.ALLOW;
    return exempt ? Matching.settled(Verdict.exempt()) : wholes;
  }

  private TreatedLimit.Treatment ofAll() {
    return every.at(ms).treatedLimit().treatment();
  }

  private List<Limit> metered(List<Limit> wholes) {
    if (wholes.isEmpty()) return List.of();
    List<Limit> metered = new ArrayList<>(wholes.size());
    // Loops by index: an iterator would be an allocation for every event.
    for (int i = 0; i < wholes.size(); i++) {
      History history = index.history(wholes.get(i).name());
      SharedTreatment shared = history.settled(event).at(ms);
      if (!shared.isNothing() && every.resetsNever()) {
        TreatedLimit.Treatment own = shared.treatment();
        take(shared.limit(), shared.saysVerdict() ? own.over(ofAll()) : ofAll(), metered);
      } else {
        Timeline timeline = history.timeline(event);
        take(judged(timeline), treatment(timeline.at(ms)), metered);
      }
    }
    return metered;
  }

  private void take(Limit limit, TreatedLimit.Treatment treatment, List<Limit> metered) {
    boolean shadow = limit.rule().shadow();
    enforcedMatches |= !shadow;
    switch (treatment) {
      case METER, PAUSE -> metered.add(limit);
      case ALLOW -> {}
      case REJECT -> {
        if (shadow) metered.add(limit);
        else deny(limit);
      }
    }
  }

  /**
   * Takes only a denial or an exemption from a limit whose key the event lacks. Otherwise a
   * producer could evade a denial by omitting a field.
   */
  private void takeVerdict(Limit skipped) {
    InForce found = index.history(skipped.name()).timeline(event).at(ms);
    TreatedLimit.Treatment treatment = treatment(found);
    if (treatment.meters()) return;
    boolean enforced = !found.limit().rule().shadow();
    enforcedMatches |= enforced;
    if (treatment == TreatedLimit.Treatment.ALLOW) isExempt = true;
    else if (enforced) deny(found.limit());
  }

  private Limit judged(Timeline timeline) {
    // All users share the Bloom filters, so a reset for one user would begin new filters for all.
    if (timeline.at(ms).limit().rule().algorithm().admitsOnce()) {
      return timeline.judgedAt(ms, timeline.judged());
    }
    Timeline resets = every.resetsNever() ? every : index.resetting(timeline, event);
    return timeline.judgedAt(ms, index.judged(timeline, resets));
  }

  private TreatedLimit.Treatment treatment(InForce found) {
    TreatedLimit.Treatment own = found.treatedLimit().treatment();
    return found.saysVerdict() ? own.over(ofAll()) : ofAll();
  }

  private void deny(Limit limit) {
    if (!isDenied) denying = Optional.of(limit);
    isDenied = true;
  }
}
