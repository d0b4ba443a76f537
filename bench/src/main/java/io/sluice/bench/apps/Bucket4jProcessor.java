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
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import redis.clients.jedis.RedisClient;

/**
 * Alternative to Sluice: a Kafka Streams processor that uses Bucket4j on Redis, with one call for
 * each record.
 */
final class Bucket4jProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
  private static final String ALLOWED = "allowed";
  private static final String REJECTED = "rejected";

  private final Workplace workplace;
  private final BucketConfiguration configuration;
  private RedisClient redis;
  private ProxyManager<byte[]> buckets;

  private Bucket4jProcessor(Workplace workplace) {
    this.workplace = workplace;
    Quota quota = Quota.parse(Workload.QUOTA);
    Duration period = Duration.ofNanos(quota.periodMicros() * 1_000);
    configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit -> limit.capacity(quota.permits()).refillGreedy(quota.permits(), period))
            .build();
  }

  static Topology topology(Workplace workplace) {
    var bytes = Serdes.ByteArray();
    return new Topology()
        .addSource("input", bytes.deserializer(), bytes.deserializer(), workplace.input())
        .addProcessor("meter", () -> new Bucket4jProcessor(workplace), "input")
        .addSink(ALLOWED, workplace.allowed(), bytes.serializer(), bytes.serializer(), "meter")
        .addSink(REJECTED, workplace.rejected(), bytes.serializer(), bytes.serializer(), "meter");
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    super.init(context);
    redis = RedisClient.create(workplace.redisUri());
    buckets =
        Bucket4jJedis.casBasedBuilder(redis)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofSeconds(10)))
            .build();
  }

  @Override
  public void process(Record<byte[], byte[]> event) {
    byte[] key = (workplace.applicationId() + new String(event.key(), UTF_8)).getBytes(UTF_8);
    boolean allowed = buckets.getProxy(key, () -> configuration).tryConsume(1);
    context().forward(event, allowed ? ALLOWED : REJECTED);
  }

  @Override
  public void close() {
    redis.close();
  }
}
