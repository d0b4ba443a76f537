package io.sluice.rules.revision;

import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Limits of the configuration, before any revision changes them. Immutable. */
final class Configured {
  private final LimitTexts texts;
  private final Limits limits;
  private final Places places;
  private final Function<LimitRevision, Optional<LimitRevision>> adapting;
  private final FieldForms forms;
  private final Map<String, Limit> byName = new HashMap<>();

  Configured(LimitsConfig configured) {
    this(
        configured.texts(),
        configured.limits(),
        new Places(configured.limits(), configured.redis(), any -> ""),
        Optional::of,
        configured.forms());
  }

  Configured(Program program) {
    this(program, program.limits());
  }

  private Configured(Program program, Limits limits) {
    this(
        program.texts(),
        limits,
        new Places(limits, program.redis(), program.refusal()),
        program::adapted,
        FieldForms.AS_TYPED);
  }

  private Configured(
      LimitTexts texts,
      Limits limits,
      Places places,
      Function<LimitRevision, Optional<LimitRevision>> adapting,
      FieldForms forms) {
    this.adapting = adapting;
    this.forms = forms;
    this.texts = texts;
    this.limits = limits;
    this.places = places;
    for (Limit each : limits.all()) byName.put(each.name(), each);
  }

  /** Returns the names of the limits, in the order in which they are listed. */
  Set<String> names() {
    return texts.given().keySet();
  }

  FieldForms forms() {
    return forms;
  }

  Limits limits() {
    return limits;
  }

  /**
   * Returns the part of a revision that changes these limits; empty if the revision changes none of
   * them.
   */
  Optional<LimitRevision> adapted(LimitRevision revision) {
    return adapting.apply(revision);
  }

  /**
   * Returns the history of a limit without any revision; for a name that is not configured, the
   * history of a limit that does not exist.
   */
  History unchanged(String name) {
    Rules rules = new LimitRules(name, texts, places);
    Limit limit = byName.get(name);
    return limit == null
        ? new History(name, rules, InForce.NOTHING)
        : new History(name, rules, new InForce(InForce.NOTHING, texts.given().get(name), limit));
  }
}
