package io.sluice.topology.event;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import io.sluice.topology.event.UnreadableEventException.SchemasUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The schemas of a registry, each asked for when the first event names it, and then kept. */
final class RegisteredSchemas implements Schemas {
  /*
   * An event that cannot be read yet can be neither given back nor passed over, so its thread waits,
   * and with it all its partitions. Heartbeats go on meanwhile. After 10 s an open exactly-once
   * transaction is aborted: then Streams takes up its tasks anew when the wait is over. It ends well
   * before max.poll.interval.ms, 5 min in Streams, by having the thread replaced. That loses nothing
   * either. If the login or the URL is wrong, that would go on for ever, so then the instance ends.
   */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  static final Duration REFUSED_FOR = FailedLookups.WHILE;
  static final Duration HOPELESS_FOR = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RegisteredSchemas.class);

  /** How often it is asked at most while an event waits: with {@link #PATIENCE}, each 250 ms. */
  private static final int ATTEMPTS = 480;

  private static final int MOST_KEPT = 10_000;

  private final Registry registry;
  private final FieldPaths paths;
  private final long patienceNanos;
  private final LongSupplier nanos;
  private final Map<Integer, RecordReader> readers = new ConcurrentHashMap<>();
  private final Map<Integer, Refusal> refused = new ConcurrentHashMap<>();

  private volatile boolean closing;

  // Guarded by this:
  private final FailedLookups inVain;
  private boolean gone;
  private boolean hopeless;
  private long hopelessSinceNanos;

  /** The requests to a registry. */
  interface Registry {
    /**
     * The schema as Avro's JSON, after the schemas that it refers to.
     *
     * @throws UnreadableEventException if there is none, or none of Avro
     * @throws SchemasUnavailableException if the registry does not answer, or not as one does
     */
    List<String> schema(int id) throws UnreadableEventException;
  }

  private record Refusal(String why, long sinceNanos) {}

  /**
   * Keeps what a registry gives.
   *
   * @param patience how long an event is made to wait for a registry that does not answer
   * @param nanos a clock to measure that by, such as {@link System#nanoTime}
   */
  RegisteredSchemas(Registry registry, FieldPaths paths, Duration patience, LongSupplier nanos) {
    this.registry = registry;
    this.paths = paths;
    this.patienceNanos = patience.toNanos();
    this.nanos = nanos;
    inVain = new FailedLookups(nanos.getAsLong());
  }

  @Override
  public RecordReader byId(int id) throws UnreadableEventException {
    RecordReader known = readers.get(id);
    if (known != null) return known;
    throwIfRefused(id); // who waits for the registry does not hold up those that need not ask
    return asked(id);
  }

  @Override
  public Optional<RecordReader> byFingerprint(long fingerprint) {
    return Optional.empty(); // a registry is asked for ids
  }

  @Override
  public void stopWaiting() {
    closing = true;
  }

  private void throwIfRefused(int id) throws UnreadableEventException {
    Refusal refusal = refused.get(id);
    if (refusal != null && !isPast(refusal.sinceNanos, REFUSED_FOR)) {
      throw new UnreadableEventException(refusal.why);
    }
  }

  /** One thread asks at a time: most likely they all want the same. */
  private synchronized RecordReader asked(int id) throws UnreadableEventException {
    RecordReader known = readers.get(id);
    if (known != null) return known;
    throwIfRefused(id);
    long sinceNanos = nanos.getAsLong();
    if (inVain.areTooMany(id, sinceNanos)) {
      throw new UnreadableEventException(
          "schema "
              + id
              + " is not requested: too many ids of this length were unknown in the last "
              + FailedLookups.WHILE.toSeconds()
              + " s");
    }
    try {
      RecordReader reader = read(id, patiently(id, sinceNanos));
      keep(readers, id, reader);
      return reader;
    } catch (UnreadableEventException e) {
      long nowNanos = nanos.getAsLong();
      keep(refused, id, new Refusal(e.getMessage(), nowNanos));
      inVain.add(id, nowNanos - sinceNanos);
      throw e;
    }
  }

  private RecordReader read(int id, List<String> definitions) throws UnreadableEventException {
    try {
      return RecordReader.parse(definitions, paths);
    } catch (IllegalArgumentException e) {
      throw new UnreadableEventException("schema " + id + " cannot be used: " + e.getMessage());
    }
  }

  /** Ids come from outside, so there may be any number of them. */
  private static <T> void keep(Map<Integer, T> kept, int id, T value) {
    if (kept.size() >= MOST_KEPT) kept.clear();
    kept.put(id, value);
  }

  private List<String> patiently(int id, long sinceNanos) throws UnreadableEventException {
    while (true) {
      try {
        List<String> definitions = registry.schema(id);
        isBack();
        return definitions;
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

  /** Who comes right after somebody who has waited in vain does not wait as well. */
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

  private void isGone(int id, SchemasUnavailableException failure) {
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
    if (gone) LOG.warn("the schema registry is back");
    gone = false;
    hopeless = false;
  }
}
