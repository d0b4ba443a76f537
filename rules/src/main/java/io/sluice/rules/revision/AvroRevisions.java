package io.sluice.rules.revision;

import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.schemas.LimitRevisionCodec;
import io.sluice.schemas.UndecodableException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Parser of revisions in Avro's single-object encoding. */
final class AvroRevisions {
  private AvroRevisions() {}

  static void read(byte[] value, Draft draft) throws UnreadableRevisionException {
    io.sluice.schemas.LimitRevision read = decoded(value);
    draft.id(read.getId());
    draft.limit(read.getLimit());
    for (Map.Entry<String, String> each : read.getFor$().entrySet()) {
      draft.value(each.getKey(), each.getValue());
    }
    for (Map.Entry<String, String> each : read.getSet().entrySet()) {
      if (each.getValue() == null) draft.back(each.getKey());
      else draft.set(each.getKey(), each.getValue());
    }
    Optional<Instant> effectiveAt = read.getEffectiveAt();
    if (effectiveAt.isPresent()) draft.effectiveAt(millis("effectiveAt", effectiveAt.get()));
    Optional<Instant> until = read.getUntil();
    if (until.isPresent()) draft.until(millis("until", until.get()));
    draft.by(read.getBy());
    draft.note(read.getNote());
  }

  private static io.sluice.schemas.LimitRevision decoded(byte[] value)
      throws UnreadableRevisionException {
    try {
      return LimitRevisionCodec.decode(value);
    } catch (UndecodableException e) {
      throw new UnreadableRevisionException("bad Avro: " + e.getMessage());
    }
  }

  private static long millis(String name, Instant instant) throws UnreadableRevisionException {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException e) {
      throw Draft.wrong(name, "" + instant, "epoch milliseconds in the years 1970 to 2200");
    }
  }
}
