package io.sluice.topology;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Claim;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Standing;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The context of every metering task: the limits, by the place of their counts, and the means to
 * meter.
 *
 * @param decoder reads the events that come back, whose views are gone
 * @param stored limits that count in the state store
 * @param remote limits that count in Redis
 * @param breaker the way there
 * @param sequences how records are named there
 * @param instruments what is counted of it all
 * @param prefetched what the polls of the thread that asks brought and it has not processed yet
 * @param clock when events come
 */
record Metered(
    EventDecoder decoder,
    List<Limit> stored,
    List<Limit> remote,
    RedisBreaker breaker,
    Sequences sequences,
    Instruments instruments,
    Supplier<Prefetched> prefetched,
    EventClock clock,
    Duplicates duplicates,
    boolean rejectsUnmatched,
    StateStoreKind storeKind) {

  static Metered of(
      SluiceConfig config, EventDecoder decoder, RedisBreaker breaker, Instruments instruments) {
    return new Metered(
        decoder,
        config.limits().stream().filter(limit -> limit.backend() == Backend.STATE_STORE).toList(),
        config.limits().stream().filter(limit -> limit.backend() == Backend.REDIS).toList(),
        breaker,
        new Sequences(config.applicationId()),
        instruments,
        ThreadLocal.withInitial(Prefetched::new)::get,
        EventClock.of(config),
        config.duplicates(),
        config.rejectsUnmatched(),
        config.stateStore());
  }

  /** Whether anything may ever be counted in the state store. */
  boolean keepsState() {
    return !stored.isEmpty() || remote.stream().anyMatch(Metered::fallsBack);
  }

  /** All limits: those in Redis may have counted in the state store while it was gone. */
  Stream<Limit> everyLimit() {
    return Stream.concat(stored.stream(), remote.stream());
  }

  boolean usesRedis() {
    return !remote.isEmpty();
  }

  /** Limits that depend on where their events are metered. */
  List<Limit> countedHere() {
    return Homing.homed(everyLimit().toList());
  }

  /**
   * When an event comes to be metered. Both clocks are Streams' own, which the test driver can
   * move.
   */
  long comesAtMs(ProcessingContext context, Event event) {
    return clock.comesAtMs(event, context.currentStreamTimeMs(), context.currentSystemTimeMs());
  }

  static boolean fallsBack(Limit limit) {
    return limit.redisUnavailable() == RedisUnavailable.STATE_STORE;
  }

  /** Whether a limit on the state store is for this event: then that has the first word. */
  boolean countsHere(EventView event) {
    for (Limit limit : stored) if (limit.match().matches(event)) return true;
    return false;
  }

  /** What Redis is to be asked about an event before its turn. */
  Question question(
      int partition,
      Event event,
      long comesAtMs,
      List<Limit> remote,
      List<Claim> claims,
      Position position) {
    Arrival arrival = arrival(event, comesAtMs);
    Request request = new Request(arrival, claims, Standing.NONE, position);
    return new Question(partition, remote, request, duplicates);
  }

  static List<Limit> matching(List<Limit> limits, EventView event) {
    List<Limit> matching = List.of();
    for (Limit limit : limits) {
      if (!limit.match().matches(event)) continue;
      if (matching.isEmpty()) matching = new ArrayList<>(limits.size());
      matching.add(limit);
    }
    return matching;
  }

  static List<Claim> claims(List<Limit> limits, EventView event) {
    List<Claim> claims = new ArrayList<>(limits.size());
    for (Limit limit : limits) claims.add(limit.claim(event));
    return claims;
  }

  Arrival arrival(Event event, long comesAtMs) {
    return new Arrival(identity(event), event.view().cost(), comesAtMs * 1_000);
  }

  private Identity identity(Event event) {
    EventView view = event.view();
    Identity.Source source =
        new Identity.Source(event.origin(), view.userId(), view.occurredAtMs(), view.cost());
    boolean claimed = duplicates != Duplicates.CHARGE && !view.eventId().equals(event.origin());
    return claimed
        ? Identity.of(view.userId(), view.action(), claim(view), source)
        : Identity.of(source);
  }

  /** A verdict is repeated only at the same cost. */
  private String claim(EventView view) {
    return duplicates == Duplicates.REPEAT ? view.cost() + "/" + view.eventId() : view.eventId();
  }

  StoreBuilder<KeyValueStore<Bytes, byte[]>> store() {
    KeyValueBytesStoreSupplier kept =
        storeKind == StateStoreKind.MEMORY
            ? new MemoryStore.Supplier(Nodes.LIMITS)
            : Stores.persistentKeyValueStore(Nodes.LIMITS);
    return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray());
  }
}
