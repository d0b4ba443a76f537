package io.sluice.topology.prefetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventDecoder;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.testing.TestRegistry;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.EventBatch;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.redis.RedisBreaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Tests that an event is not refused as long as its schema cannot be asked for. */
class SchemasOutageTest {
  private static final byte[] CONFLUENT = {0, 0, 0, 0, 17, 6, 'a', 'd', 'a'};
  private static final byte[] JSON = "{\"userId\":\"ada\",\"action\":\"post\"}".getBytes(UTF_8);
  private static final TopicPartition INPUT = new TopicPartition("user-actions", 0);

  private final EventDecoder decoder = ofARegistryThatIsNotThere();

  private final EventOpener opener =
      new EventOpener(decoder, InstantSource.system(), Duration.ofSeconds(60));

  /** Returns a decoder that no longer waits for its schema registry. */
  private static EventDecoder ofARegistryThatIsNotThere() {
    EventDecoder decoder;
    try (TestRegistry registry = new TestRegistry()) {
      decoder = ConfigText.config("sluice.schemas.url=" + registry.url()).eventDecoder();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    decoder.stopWaiting();
    return decoder;
  }

  private static SluiceConfig config() {
    return ConfigText.config(
        "sluice.redis.uri=redis://localhost",
        "sluice.limit.reply.match.action=reply",
        "sluice.limit.reply.backend=redis");
  }

  @Test
  void anEventThatCannotBeReadYetIsNoDeadLetter() {
    EventRecord event = new EventRecord(CONFLUENT);

    assertThatThrownBy(
            () -> opener.open(event, new ConsumerRecord<>("user-actions", 0, 1, null, CONFLUENT)))
        .isInstanceOf(SchemasUnavailableException.class);
    assertThat(event.isOpened()).isFalse();
  }

  @Test
  void aPollEndsWhereTheNextEventCannotBeReadYet() {
    SluiceConfig config = config();
    Instruments instruments = new Instruments(config.limits());
    RedisBreaker breaker = RedisBreaker.of("app", () -> null, instruments.redis());
    List<ConsumerRecord<byte[], byte[]>> polled = new ArrayList<>();
    for (byte[] value : List.of(JSON, CONFLUENT, JSON)) {
      polled.add(new ConsumerRecord<>(INPUT.topic(), 0, polled.size(), null, value));
    }

    HomePartitioner home = new HomePartitioner(Field.USER_ID, 1);
    ConsumerRecords<byte[], byte[]> records =
        new Prefetcher(
                config.topics(),
                home,
                CurrentLimits.of(config.limitsConfig()),
                Arrivals.of(config),
                opener,
                breaker)
            .prefetch(new ConsumerRecords<>(Map.of(INPUT, polled), Map.of()));

    assertThat(records.records(INPUT))
        .extracting(record -> record.headers() instanceof EventBatch)
        .containsExactly(true, false, false);
    assertThat(records.records(INPUT))
        .extracting(ConsumerRecord::offset)
        .containsExactly(0L, 1L, 2L);
  }
}
