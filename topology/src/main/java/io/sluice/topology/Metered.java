package io.sluice.topology;

import io.sluice.limiter.redis.RedisMeter;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * What every metering task needs to know: the limits, by where they count, and how.
 *
 * @param stored limits that count in the state store
 * @param remote limits that count in Redis
 * @param redis the one connection pool to it, made when first asked for
 */
record Metered(
    List<Limit> stored,
    List<Limit> remote,
    Supplier<RedisMeter> redis,
    boolean byWallClock,
    boolean rejectsUnmatched,
    StateStoreKind storeKind) {

  static Metered of(SluiceConfig config, Supplier<RedisMeter> redis) {
    return new Metered(
        config.limits().stream().filter(limit -> limit.backend() == Backend.STATE_STORE).toList(),
        config.limits().stream().filter(limit -> limit.backend() == Backend.REDIS).toList(),
        redis,
        config.time() == TimeSource.WALL,
        config.rejectsUnmatched(),
        config.stateStore());
  }

  boolean keepsState() {
    return !stored.isEmpty();
  }

  StoreBuilder<KeyValueStore<Bytes, byte[]>> store() {
    KeyValueBytesStoreSupplier kept =
        storeKind == StateStoreKind.MEMORY
            ? new MemoryStore.Supplier(Nodes.LIMITS)
            : Stores.persistentKeyValueStore(Nodes.LIMITS);
    return Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray());
  }
}
