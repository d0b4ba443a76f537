package io.sluice.topology.config;

import io.sluice.events.EventSelectors;
import io.sluice.events.TopicSelectors;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.settings.LimitParser;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.RawSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Check of the attributes whose selectors give a list: a limit must count their elements by {@code
 * distinct}, since nothing else can use them.
 */
final class ListAttributes {
  private final RawSettings given;
  private final TopicSelectors selectors;

  ListAttributes(RawSettings given, TopicSelectors selectors) {
    this.given = given;
    this.selectors = selectors;
  }

  void check(List<Limit> limits) {
    Set<String> lists = selectors.lists();
    if (lists.isEmpty()) return;
    // A distinct with a mistake is not known, so it may name any of the attributes.
    boolean known = limits.stream().allMatch(this::hasSoundDistinct);
    for (Limit limit : limits) {
      LimitParser.checkLists(limit, given.forLimit(limit.name()), lists);
    }
    if (!known) return;
    Set<String> counted =
        limits.stream()
            .flatMap(limit -> limit.distinct().stream())
            .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
            .map(Field::attribute)
            .collect(Collectors.toSet());
    checkCounted(Keys.EVENT_ATTRIBUTE, selectors.common(), counted);
    selectors
        .own()
        .forEach(
            (topic, own) -> checkCounted(Keys.ofInput(topic, Keys.EVENT_ATTRIBUTE), own, counted));
  }

  private boolean hasSoundDistinct(Limit limit) {
    return given.forLimit(limit.name()).sound(LimitSettings.DISTINCT);
  }

  private void checkCounted(String prefix, EventSelectors own, Set<String> counted) {
    for (String name : own.lists()) {
      String key = prefix + name;
      if (counted.contains(name) || !given.texts().containsKey(key)) continue;
      given
          .mistakes()
          .add(
              key,
              given.texts().get(key),
              EventSelectors.NO_SINGLE_VALUE
                  + "; or count its elements with a limit's distinct=attributes."
                  + name);
    }
  }
}
