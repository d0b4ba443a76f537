package io.sluice.bench.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;

/**
 * The kind of an input's events: whose they are, when they come, and how they are written. All that
 * is said of an event follows from its number.
 */
public enum Kind {
  /** Users take turns, with an event each millisecond, in Avro. */
  TURNS,

  /** A user comes as often as their rank in a Zipf distribution says, with an exponent of 1. */
  ZIPF {
    @Override
    long user(long number, int keys) {
      return Zipf.over(keys).rank(number);
    }
  },

  /** A key is a user and who it is aimed at, of which each user has two. */
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

  /** As {@link #TURNS}, in JSON. */
  JSON {
    @Override
    byte[] value(long number, int keys) {
      return "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
          .formatted(eventId(number), name(number, keys), ACTION, atMs(number))
          .getBytes(UTF_8);
    }
  },

  /** As {@link #TURNS}, a thousand of them in each millisecond, so that no key is ever idle. */
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

  /** Who it is aimed at; empty if that is nobody. */
  String target(long number, int keys) {
    return "";
  }

  /** What Sluice counts it by. */
  String key(long number, int keys) {
    return name(number, keys);
  }

  /** The user, who is also the key of the record. */
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
