package io.sluice.rules.revision;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * Parser of revisions in Avro's single-object encoding or in JSON; the first byte tells which. Time
 * and memory are in proportion to the size of a record, which is limited. For many threads.
 *
 * <p>Maximum lengths are 200 characters for an id, a name and {@code by}, 1,000 for a value and a
 * note, 4,000 for the text of a setting, and 64 KiB for a record. A revision has at most 10 fields
 * and 50 settings.
 */
public final class RevisionReader {
  private static final int AVRO = 0xC3;
  private static final int MOST_BYTES = 1 << 16;
  private static final int MOST_SHARED = 10_000;

  private final JsonRevisions json = new JsonRevisions();

  /**
   * Shares equal settings, texts and fields between revisions: many overrides have the same ones.
   */
  private final BoundedCache<Settings, Settings> settings = new BoundedCache<>(MOST_SHARED);

  private final BoundedCache<String, String> texts = new BoundedCache<>(MOST_SHARED);
  private final BoundedCache<LimitKey, LimitKey> fields = new BoundedCache<>(MOST_SHARED);

  /**
   * Parses a record of the topic of revisions that is not a tombstone.
   *
   * @param key key of the record, which must be the revision's id
   * @param timestampMs timestamp of the record, at which a revision without an effective time
   *     begins
   */
  public LimitRevision ofRecord(byte[] key, byte[] value, long timestampMs)
      throws UnreadableRevisionException {
    String id = idOf(key);
    LimitRevision read = read(new Draft(id, timestampMs), value);
    if (read.id().equals(id)) return read;
    throw Draft.wrong("id", read.id(), "it must be the record's key, " + Draft.shown(id));
  }

  /**
   * Parses a revision in a line of a file. The line must contain the effective time.
   *
   * @param number number of the line, counted from 1, in place of a missing id
   */
  public LimitRevision ofLine(String line, int number) throws UnreadableRevisionException {
    String id = String.format("line %07d", number);
    return read(new Draft(id, Draft.MISSING), line.strip().getBytes(UTF_8));
  }

  private static String idOf(byte[] key) throws UnreadableRevisionException {
    if (key == null || key.length == 0 || key.length > MOST_BYTES) {
      throw new UnreadableRevisionException("key: missing or too long; it is the revision's id");
    }
    try {
      String id = UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      return Draft.line("key", id, Draft.LONGEST_NAME);
    } catch (CharacterCodingException e) {
      throw new UnreadableRevisionException("key: not UTF-8; it is the revision's id");
    }
  }

  private LimitRevision read(Draft draft, byte[] value) throws UnreadableRevisionException {
    if (value.length == 0) throw new UnreadableRevisionException("the value is empty");
    if (value.length > MOST_BYTES) {
      throw new UnreadableRevisionException(
          "the value has " + value.length + " bytes: accepted are " + MOST_BYTES);
    }
    int format = value[0] & 0xff;
    if (format == AVRO) avro(value, draft);
    else if (format == '{') json.read(value, draft);
    else throw unknown(format);
    return shared(draft.made());
  }

  /**
   * Parses a revision in Avro. A program without Kafka Streams may lack the classes for Avro; then
   * only such revisions are refused.
   */
  private static void avro(byte[] value, Draft draft) throws UnreadableRevisionException {
    try {
      AvroRevisions.read(value, draft);
    } catch (NoClassDefFoundError e) {
      throw new UnreadableRevisionException(
          "it is Avro, and io.sluice:sluice-schemas is not on the class path");
    }
  }

  private static UnreadableRevisionException unknown(int format) {
    return new UnreadableRevisionException(
        String.format("unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
  }

  private LimitRevision shared(LimitRevision read) {
    return new LimitRevision(
        read.id(),
        texts.get(read.limit(), same -> same),
        new Scope(fields.get(read.scope().fields(), same -> same), read.scope().values()),
        settings.get(read.set(), same -> same),
        read.effectiveAtMs(),
        read.untilMs(),
        texts.get(read.by(), same -> same),
        texts.get(read.note(), same -> same));
  }

  /**
   * Returns a revision as JSON that can be parsed again; its fields are in the order of the manual,
   * without empty ones.
   */
  public static String json(LimitRevision revision) {
    return JsonRevisions.write(revision);
  }
}
