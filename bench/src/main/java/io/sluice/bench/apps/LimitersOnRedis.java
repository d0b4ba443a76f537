package io.sluice.bench.apps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Workplace;
import io.sluice.limiter.Quota;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.RedisClient;

/**
 * Alternatives to Sluice: Kafka Streams processors with the limiter of a library on Redis, which
 * they call once for each record.
 */
final class LimitersOnRedis {
  private static final String ALLOWED = "allowed";
  private static final String REJECTED = "rejected";
  private static final Quota QUOTA = Quota.parse(Workload.QUOTA);
  private static final Duration PERIOD = Duration.ofNanos(QUOTA.periodMicros() * 1_000);

  private LimitersOnRedis() {}

  /** Limiter of one task, with the benchmark's quota for each key. */
  private interface Limiter extends AutoCloseable {
    boolean tryConsume(String key);

    @Override
    void close();
  }

  static Topology bucket4j(Workplace workplace) {
    return topology(workplace, Bucket4jLimiter::new);
  }

  static Topology redisson(Workplace workplace) {
    return topology(workplace, RedissonLimiter::new);
  }

  private static Topology topology(Workplace workplace, Function<String, Limiter> limiter) {
    var bytes = Serdes.ByteArray();
    return new Topology()
        .addSource("input", bytes.deserializer(), bytes.deserializer(), workplace.input())
        .addProcessor("meter", () -> new CallingProcessor(workplace, limiter), "input")
        .addSink(ALLOWED, workplace.allowed(), bytes.serializer(), bytes.serializer(), "meter")
        .addSink(REJECTED, workplace.rejected(), bytes.serializer(), bytes.serializer(), "meter");
  }

  private static final class CallingProcessor
      extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
    private final Workplace workplace;
    private final Function<String, Limiter> limiters;
    private Limiter limiter;

    private CallingProcessor(Workplace workplace, Function<String, Limiter> limiters) {
      this.workplace = workplace;
      this.limiters = limiters;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      super.init(context);
      limiter = limiters.apply(workplace.redisUri());
    }

    @Override
    public void process(Record<byte[], byte[]> event) {
      String key = workplace.applicationId() + new String(event.key(), UTF_8);
      context().forward(event, limiter.tryConsume(key) ? ALLOWED : REJECTED);
    }

    @Override
    public void close() {
      limiter.close();
    }
  }

  private static final class Bucket4jLimiter implements Limiter {
    private static final BucketConfiguration CONFIGURATION =
        BucketConfiguration.builder()
            .addLimit(
                limit -> limit.capacity(QUOTA.permits()).refillGreedy(QUOTA.permits(), PERIOD))
            .build();

    private final RedisClient redis;
    private final ProxyManager<byte[]> buckets;

    Bucket4jLimiter(String redisUri) {
      redis = RedisClient.create(redisUri);
      buckets =
          Bucket4jJedis.casBasedBuilder(redis)
              .expirationAfterWrite(
                  ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                      Duration.ofSeconds(10)))
              .build();
    }

    @Override
    public boolean tryConsume(String key) {
      return buckets.getProxy(key.getBytes(UTF_8), () -> CONFIGURATION).tryConsume(1);
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  private static final class RedissonLimiter implements Limiter {
    private final RedissonClient redis;
    private final Map<String, RRateLimiter> limiters = new HashMap<>();

    RedissonLimiter(String redisUri) {
      Config config = new Config();
      config.useSingleServer().setAddress(redisUri);
      redis = Redisson.create(config);
    }

    @Override
    public boolean tryConsume(String key) {
      return limiters.computeIfAbsent(key, this::limiter).tryAcquire();
    }

    /** The rate of a limiter is stored in Redis, once for each key. */
    private RRateLimiter limiter(String key) {
      RRateLimiter limiter = redis.getRateLimiter(key);
      limiter.trySetRate(RateType.OVERALL, QUOTA.permits(), PERIOD);
      return limiter;
    }

    @Override
    public void close() {
      redis.shutdown();
    }
  }
}
