package io.sluice.events;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.RecordReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cache of the schemas of a schema registry. A schema is fetched when an event first names it. */
final class RegisteredSchemas implements Schemas {
  /*
   * While the registry does not answer, an event of an unknown schema can neither be decoded nor
   * skipped, so the stream thread waits, with all its partitions. Heartbeats continue. After 10 s
   * the broker aborts an open exactly-once transaction; Streams then restarts the thread's tasks
   * after the wait. The wait ends well before max.poll.interval.ms (5 min in Streams) with an
   * exception, after which the thread is replaced; no record is lost. If the login or the URL is
   * wrong, waiting would never end, so the instance stops after the wait.
   */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  static final Duration REFUSED_FOR = FailedLookups.WHILE;
  static final Duration HOPELESS_FOR = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RegisteredSchemas.class);

  /** Largest number of requests while an event waits; with {@link #PATIENCE} one every 250 ms. */
  private static final int ATTEMPTS = 480;

  private static final int MOST_KEPT = 10_000;

  private final Registry registry;
  private final EventSelectors selectors;
  private final long patienceNanos;
  private final LongSupplier nanos;
  private final Map<SchemaId, ValueReader> readers = new ConcurrentHashMap<>();
  private final Map<SchemaId, Refusal> refused = new ConcurrentHashMap<>();

  private volatile boolean closing;

  // The lock of this object guards the fields below.
  private final FailedLookups inVain;
  private boolean gone;
  private boolean hopeless;
  private long hopelessSinceNanos;

  /** Requests to a schema registry. */
  interface Registry {
    /**
     * Returns the definition of a schema with those that it refers to.
     *
     * @throws UnreadableEventException if the schema is unknown, or of an unknown type
     * @throws SchemasUnavailableException if the registry does not answer, or its answer is not
     *     that of a schema registry
     */
    SchemaDefinition schema(SchemaId id) throws UnreadableEventException;
  }

  private record Refusal(String why, long sinceNanos) {}

  /**
   * Creates an empty cache.
   *
   * @param patience longest time that an event waits for a registry that does not answer
   * @param nanos monotonic clock that measures the wait, such as {@link System#nanoTime}
   */
  RegisteredSchemas(
      Registry registry, EventSelectors selectors, Duration patience, LongSupplier nanos) {
    this.registry = registry;
    this.selectors = selectors;
    this.patienceNanos = patience.toNanos();
    this.nanos = nanos;
    inVain = new FailedLookups(nanos.getAsLong());
  }

  @Override
  public ValueReader byId(SchemaId id) throws UnreadableEventException {
    ValueReader known = readers.get(id);
    if (known != null) return known;
    // A cached refusal needs no lock: a thread may hold the lock while it waits for the registry.
    throwIfRefused(id);
    return asked(id);
  }

  @Override
  public Optional<RecordReader> byFingerprint(long fingerprint) {
    // A schema registry finds schemas only by their ids, not by fingerprints.
    return Optional.empty();
  }

  @Override
  public void stopWaiting() {
    closing = true;
  }

  private void throwIfRefused(SchemaId id) throws UnreadableEventException {
    Refusal refusal = refused.get(id);
    if (refusal != null && !isPast(refusal.sinceNanos, REFUSED_FOR)) {
      throw new UnreadableEventException(refusal.why);
    }
  }

  /**
   * Fetches a schema from the registry. Only one thread at a time makes requests, because most
   * likely all threads need the same schema.
   */
  private synchronized ValueReader asked(SchemaId id) throws UnreadableEventException {
    ValueReader known = readers.get(id);
    if (known != null) return known;
    throwIfRefused(id);
    long sinceNanos = nanos.getAsLong();
    if (inVain.areTooMany(id.number(), sinceNanos)) {
      throw new UnreadableEventException(
          "schema "
              + id
              + " is not requested: too many ids of this length were unknown in the last "
              + FailedLookups.WHILE.toSeconds()
              + " s");
    }
    try {
      ValueReader reader = read(id, patiently(id, sinceNanos));
      keep(readers, id, reader);
      return reader;
    } catch (UnreadableEventException e) {
      long nowNanos = nanos.getAsLong();
      keep(refused, id, new Refusal(e.getMessage(), nowNanos));
      inVain.add(id.number(), nowNanos - sinceNanos);
      throw e;
    }
  }

  private ValueReader read(SchemaId id, SchemaDefinition definition)
      throws UnreadableEventException {
    try {
      return definition.reader(selectors);
    } catch (IllegalArgumentException e) {
      throw new UnreadableEventException("schema " + id + " cannot be used: " + e.getMessage());
    }
  }

  /**
   * Adds an entry to a cache, and clears a cache that has 10,000 entries before, since events may
   * name any number of schema ids.
   */
  private static <T> void keep(Map<SchemaId, T> kept, SchemaId id, T value) {
    if (kept.size() >= MOST_KEPT) kept.clear();
    kept.put(id, value);
  }

  private SchemaDefinition patiently(SchemaId id, long sinceNanos) throws UnreadableEventException {
    while (true) {
      try {
        SchemaDefinition definition = registry.schema(id);
        isBack();
        return definition;
      } catch (SchemasUnavailableException e) {
        isGone(id, e);
        giveUpIfPast(sinceNanos, e);
        pause(e);
      } catch (UnreadableEventException e) {
        isBack();
        throw e;
      }
    }
  }

  /**
   * Throws the failure of a request if the event has waited as long as it may, if the wait of
   * another event ended in vain less than a second ago, or if the application ends.
   */
  private void giveUpIfPast(long sinceNanos, SchemasUnavailableException failure) {
    boolean justNow = hopeless && !isPast(hopelessSinceNanos, HOPELESS_FOR);
    if (justNow || closing) throw failure;
    if (nanos.getAsLong() - sinceNanos < patienceNanos) return;
    hopeless = true;
    hopelessSinceNanos = nanos.getAsLong();
    throw failure;
  }

  private void pause(SchemasUnavailableException failure) {
    try {
      TimeUnit.NANOSECONDS.sleep(patienceNanos / ATTEMPTS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  private boolean isPast(long sinceNanos, Duration duration) {
    return nanos.getAsLong() - sinceNanos >= duration.toNanos();
  }

  private void isGone(SchemaId id, SchemasUnavailableException failure) {
    if (!gone) {
      boolean forGood = failure.isLasting();
      String next = forGood ? ", then this instance stops" : "";
      long seconds = TimeUnit.NANOSECONDS.toSeconds(patienceNanos);
      LOG.warn(
          "events wait for schema {}, up to {} s{}: {}", id, seconds, next, failure.getMessage());
    }
    gone = true;
  }

  private void isBack() {
    if (gone) LOG.warn("the schema registry answers again");
    gone = false;
    hopeless = false;
  }

  /**
   * Limit on the time in 30 seconds that is spent on requests to a schema registry for unknown
   * schema ids. Not thread-safe.
   */
  static final class FailedLookups {
    /*
     * In Confluent's format any four bytes after a zero byte are a schema id, so garbage would cause
     * a request for each record, which stops the stream and floods the registry. In each 30 seconds,
     * all ids with the same number of bits share a quota of request time. A registry counts its ids
     * from 1, so real ids are short. Random ids are long (half of them have 31 bits, one in 16,384
     * has no more than 17) and use up the quotas of long ids only. So the id of a schema that was
     * just registered is still requested while garbage arrives. All GUIDs share one quota, that of
     * 64 bits.
     */
    static final Duration WHILE = Duration.ofSeconds(30);

    private static final long SHARE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /**
     * Least time that a request for an unknown id is charged, so that even a fast registry gets at
     * most 100 such requests per quota.
     */
    private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    /**
     * Most time that a request for an unknown id is charged, so that one slow answer does not use
     * up the quota.
     */
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long[] spentNanos = new long[Long.SIZE + 1];
    private long sinceNanos;

    FailedLookups(long nowNanos) {
      sinceNanos = nowNanos;
    }

    /**
     * Returns whether requests for unknown ids with as many bits as this id have used up their
     * quota of the current 30 seconds.
     */
    boolean areTooMany(long id, long nowNanos) {
      if (nowNanos - sinceNanos >= WHILE.toNanos()) {
        Arrays.fill(spentNanos, 0);
        sinceNanos = nowNanos;
      }
      return spentNanos[bits(id)] >= SHARE_NANOS;
    }

    /** Charges the time of a request for an unknown id to the quota of ids with as many bits. */
    void add(long id, long tookNanos) {
      spentNanos[bits(id)] += Math.max(LEAST_NANOS, Math.min(MOST_NANOS, tookNanos));
    }

    private static int bits(long id) {
      return Long.SIZE - Long.numberOfLeadingZeros(id);
    }
  }
}
