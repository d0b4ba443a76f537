package io.sluice.events.config;

import io.sluice.events.SchemaConfig;
import io.sluice.events.TopicSelectors;
import io.sluice.rules.settings.RawSettings;
import java.util.List;

/** Configured format of events: the selectors of their fields, and the source of their schemas. */
public record EventFormat(TopicSelectors selectors, SchemaConfig schemas) {
  /**
   * Parses the settings of events, and reports their mistakes.
   *
   * @param inputs input topics
   */
  public static EventFormat of(RawSettings settings, List<String> inputs) {
    return new EventFormatParser(settings, inputs).read();
  }
}
