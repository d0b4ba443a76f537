package io.sluice.rules.limit;

import io.sluice.limiter.config.SettingFormat;
import io.sluice.limiter.config.Zones;
import io.sluice.rules.event.Field;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time zone of a limit: one for all events, or that in a field of each event. */
public sealed interface ZoneSelector {
  /** Description of the accepted texts. */
  String ACCEPTED =
      "UTC, a name such as Europe/Berlin, an offset such as +02:00, or a field and a default, such"
          + " as attributes.timezone,UTC";

  /** Zone for all events. */
  record Fixed(ZoneId zone) implements ZoneSelector {
    @Override
    public String toString() {
      return zone.toString();
    }
  }

  /**
   * Zone in a field of each event.
   *
   * @param otherwise zone of an event without the field, or whose value is not a zone
   */
  record OfField(Field field, ZoneId otherwise) implements ZoneSelector {
    @Override
    public String toString() {
      return field + "," + Zones.nameOf(otherwise);
    }
  }

  /** Zone UTC for all events. */
  ZoneSelector UTC = new Fixed(ZoneOffset.UTC);

  /**
   * Parses a zone, an offset, or a field and a default.
   *
   * @throws IllegalArgumentException if the text has a mistake; the message says what is accepted
   */
  static ZoneSelector parse(String text) {
    int comma = text.indexOf(',');
    if (comma < 0) return new Fixed(zone(text));
    Field field = Field.parse(text.substring(0, comma).trim());
    return new OfField(field, zone(text.substring(comma + 1).trim()));
  }

  private static ZoneId zone(String text) {
    if (isField(text)) {
      throw new IllegalArgumentException(
          "a field needs a default, for events without it: " + text + ",UTC");
    }
    return ZoneNames.find(text).orElseGet(() -> SettingFormat.ZONE.read(text));
  }

  private static boolean isField(String text) {
    try {
      Field.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
