package io.sluice.bench.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;

/**
 * Kinds of input topics, which differ in the users, times and format of their events. The number of
 * an event determines all of its content.
 */
public enum Kind {
  /** Events of the users in turn, one event each millisecond, in Avro. */
  TURNS,

  /** Events like {@link #TURNS}, but with users drawn from a Zipf distribution with exponent 1. */
  ZIPF {
    @Override
    long user(long number, int keys) {
      return Zipf.over(keys).rank(number);
    }
  },

  /** Events whose keys consist of user and target, with two targets for each user. */
  PAIRS {
    @Override
    long user(long number, int keys) {
      return number % keys % users(keys);
    }

    private static int users(int keys) {
      return (keys + 1) / 2;
    }

    @Override
    String target(long number, int keys) {
      return "recipient-" + number % keys / users(keys);
    }

    @Override
    String key(long number, int keys) {
      return super.key(number, keys) + "|" + target(number, keys);
    }
  },

  /** Events like {@link #TURNS}, but in JSON. */
  JSON {
    @Override
    byte[] value(long number, int keys) {
      return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
          .formatted(eventId(number), name(number, keys), ACTION, atMs(number))
          .getBytes(UTF_8);
    }
  },

  /**
   * Events like {@link #TURNS}, but a thousand events each millisecond, so that no key becomes
   * idle.
   */
  DENSE {
    @Override
    long atMs(long number) {
      return BEGIN_MS + number / 1_000;
    }
  };

  private static final long BEGIN_MS = 1_700_000_000_000L;
  private static final String ACTION = "post";

  long user(long number, int keys) {
    return number % keys;
  }

  /** Returns the target of the event with this number; empty if it has none. */
  String target(long number, int keys) {
    return "";
  }

  /** Returns the key by which Sluice counts the event with this number. */
  String key(long number, int keys) {
    return name(number, keys);
  }

  /** Returns the user of the event with this number, which is also the record key. */
  final String name(long number, int keys) {
    return "user-" + user(number, keys);
  }

  long atMs(long number) {
    return BEGIN_MS + number;
  }

  byte[] value(long number, int keys) {
    UserAction.Builder action =
        UserAction.newBuilder()
            .setEventId(eventId(number))
            .setUserId(name(number, keys))
            .setAction(ACTION)
            .setOccurredAt(Instant.ofEpochMilli(atMs(number)));
    String target = target(number, keys);
    if (!target.isEmpty()) action.setTarget(target);
    return UserActionCodec.encode(action.build());
  }

  private static String eventId(long number) {
    return "event-" + number;
  }
}
