package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.scenario.Verdicts;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The published records agree with their descriptions. */
class SentTest {
  private static final long NOON_MS = 1_790_000_000_000L;
  private static final List<String> TOPICS = Topics.INPUTS;

  private final SplittableRandom random = new SplittableRandom(1);
  private final Numbers numbers = new Numbers();

  @Test
  void whatIsSentIsWhatItsHeaderSays() {
    EventMaker maker = new EventMaker(TOPICS, random, numbers);
    Stream.generate(() -> maker.burst(NOON_MS, NOON_MS))
        .limit(500)
        .flatMap(List::stream)
        .filter(sent -> sent.record().value()[0] == (byte) 0xC3)
        .forEach(
            sent -> {
              Described said = Described.in(sent.record().headers()).orElseThrow();
              UserAction event = UserActionCodec.decode(sent.record().value());
              assertThat(said).isEqualTo(sent.described());
              assertThat(event.getUserId()).isEqualTo(said.user());
              assertThat(event.getEventId()).isEqualTo(said.id());
              assertThat(event.getCost()).isEqualTo(said.cost());
              assertThat(event.getOccurredAt().toEpochMilli()).isEqualTo(said.occurredAtMs());
            });
  }

  @Test
  void classAndTenantAreAttributes() {
    QueueEvents maker = new QueueEvents(TOPICS, random, numbers);
    List<Sent> all = maker.next(NOON_MS);
    assertThat(all)
        .filteredOn(sent -> sent.record().value()[0] == (byte) 0xC3)
        .isNotEmpty()
        .allSatisfy(
            sent -> {
              Described said = Described.in(sent.record().headers()).orElseThrow();
              UserAction event = UserActionCodec.decode(sent.record().value());
              assertThat(said).isEqualTo(sent.described());
              assertThat(event.getAttributes().getOrDefault("class", ""))
                  .isEqualTo(said.priority());
              assertThat(event.getAttributes().getOrDefault("tenant", "")).isEqualTo(said.tenant());
            });
    assertThat(all)
        .filteredOn(sent -> sent.record().value()[0] == '{')
        .filteredOn(sent -> !sent.described().priority().isEmpty())
        .isNotEmpty()
        .allSatisfy(
            sent ->
                assertThat(new String(sent.record().value(), UTF_8))
                    .contains("\"attributes\":{")
                    .contains("\"class\":\"" + sent.described().priority() + '"'));
  }

  @Test
  void aRecordCanHaveNoTimestamp() {
    Oddities oddities = new Oddities(TOPICS, random, numbers);

    assertThat(Stream.generate(() -> oddities.ofTime(NOON_MS)).limit(100))
        .extracting(sent -> sent.record().timestamp())
        .contains(Described.NO_TIMESTAMP, 0L);
  }

  @Test
  void sizesAreAtTheEdgeOfWhatATopicTakes() {
    Oddities oddities = new Oddities(TOPICS, random, numbers);

    assertThat(Stream.generate(() -> oddities.ofSize(NOON_MS)).limit(40))
        .extracting(sent -> sent.record().value().length)
        .contains(1_048_588 - 20_000)
        .anyMatch(bytes -> bytes > 1_045_588 && bytes <= 1_048_588)
        .anyMatch(bytes -> bytes > 2_000_000);
  }

  @Test
  void theSameAgainHasAnotherNameAndNothingElse() {
    Described first = event(1);
    ProducerRecord<byte[], byte[]> record =
        new Sent("t", new byte[] {1}, new byte[] {2}, Described.NO_TIMESTAMP, first)
            .again(event(2))
            .record();

    assertThat(record.value()).containsExactly(2);
    assertThat(record.key()).containsExactly(1);
    assertThat(record.timestamp()).isEqualTo(Described.NO_TIMESTAMP);
    assertThat(Described.in(record.headers())).contains(event(2));
  }

  @Test
  void headersCanComeInTheNameOfSluice() {
    Sent sent = new Sent("t", null, null, 1, event(1)).traced().forged();

    for (String name : Verdicts.FORGEABLE) {
      assertThat(new String(sent.record().headers().lastHeader(name).value(), UTF_8))
          .isEqualTo("forged");
    }
    assertThat(Described.in(sent.record().headers())).contains(event(1));
  }

  private static Described event(long number) {
    return new Described(
        number, "post", "ann", "bob", "e", NOON_MS, NOON_MS, 1, Described.Kind.EVENT);
  }
}
