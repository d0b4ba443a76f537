package io.sluice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.junit.jupiter.api.Test;

class CoordinatesTest {
  private final Coordinates coordinates = new Coordinates("orders-timer-3");

  private record At(String topic, int partition, long offset) implements RecordMetadata {}

  private String next(String topic, int partition, long offset) {
    return coordinates.next(Optional.of(new At(topic, partition, offset))).toString();
  }

  @Test
  void recordsOfOneOffsetAreNumberedFromTheSecondOn() {
    List<String> origins =
        List.of(
            next("orders", 3, 7),
            next("orders", 3, 7),
            next("returns", 3, 7),
            next("orders", 3, 7),
            next("orders", 3, 8),
            next("returns", 3, 7));
    assertThat(origins)
        .containsExactly(
            "orders-3-7",
            "orders-3-7.1",
            "returns-3-7",
            "orders-3-7.2",
            "orders-3-8",
            "returns-3-7.1");
  }

  @Test
  void processedAgainTheyAreTheSame() {
    List<String> before = List.of(next("orders", 3, 7), next("orders", 3, 7));
    Coordinates again = new Coordinates("orders-timer-3");
    Optional<RecordMetadata> at = Optional.of(new At("orders", 3, 7));
    assertThat(List.of(again.next(at).toString(), again.next(at).toString())).isEqualTo(before);
  }

  @Test
  void whatComesFromBehindACacheIsLikeNoOther() {
    Set<String> origins = new HashSet<>();
    for (long offset : new long[] {7, 9, 7, 7, 9}) origins.add(next("orders", 3, offset));
    assertThat(origins).hasSize(5).allMatch(each -> each.startsWith("orders-3-"));
  }

  @Test
  void whatATimerMakesIsLikeNoOther() {
    Set<String> origins = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      origins.add(coordinates.next(Optional.empty()).toString());
      origins.add(next(null, -1, -1));
    }
    assertThat(origins).hasSize(6).allMatch(each -> each.startsWith("orders-timer-3-"));
  }

  /**
   * The text before the last dash is the place of the origin; origins of one place have an order.
   */
  @Test
  void allOfAPartitionAreOfOnePlace() {
    Optional<RecordMetadata> at = Optional.of(new At("my-orders", 3, 7));
    for (int i = 0; i < 3; i++) {
      assertThat(coordinates.next(at).place()).isEqualTo("my-orders-3-");
      assertThat(coordinates.next(Optional.empty()).place()).isEqualTo("orders-timer-3-");
    }
  }
}
