package io.sluice.rules.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.TestEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueOrderTest {
  private static final Field KIND = Field.parse("attributes.kind");

  private static Event event(String kind) {
    return new TestEvent("ada", "send", "", kind.isEmpty() ? Map.of() : Map.of("kind", kind));
  }

  private static QueueOrder byKind(String... classes) {
    return new QueueOrder(Optional.of(KIND), List.of(classes), 1, Optional.empty(), Map.of());
  }

  private static QueueOrder fair(Map<String, Integer> weights) {
    return new QueueOrder(Optional.empty(), List.of(), 1, Optional.of(KIND), weights);
  }

  @Test
  void byDefaultThereIsOneClassAndNoTenant() {
    QueueOrder order = QueueOrder.ARRIVAL;

    assertThat(order.classCount()).isEqualTo(1);
    assertThat(order.className(0)).isEqualTo("*");
    assertThat(order.rankOf(event("otp"))).isZero();
    assertThat(order.isFair()).isFalse();
    assertThat(order.tenantOf(event("otp"))).isZero();
    assertThat(order.weightOf(0)).isEqualTo(1);
    assertThat(order.agingMs()).isEqualTo(600_000);
    assertThat(order.fields()).isEmpty();
  }

  @Test
  void aClassIsTheExactValueAndTheStarIsAllOthers() {
    QueueOrder order = byKind("otp", "*", "marketing");

    assertThat(order.rankOf(event("otp"))).isZero();
    assertThat(order.rankOf(event("marketing"))).isEqualTo(2);
    assertThat(order.rankOf(event("OTP"))).isEqualTo(1);
    assertThat(order.rankOf(event("otp2"))).isEqualTo(1);
    assertThat(order.rankOf(event("*"))).isEqualTo(1);
    assertThat(order.rankOf(event(""))).isEqualTo(1);
    assertThat(IntStream.range(0, order.classCount()).mapToObj(order::className))
        .containsExactly("otp", "*", "marketing");
  }

  @Test
  void withoutAStarAllOthersAreTheLowestClass() {
    QueueOrder order = byKind("otp", "marketing");

    assertThat(order.classes()).containsExactly("otp", "marketing", "*");
    assertThat(order.rankOf(event("news"))).isEqualTo(2);
    assertThat(order.className(2)).isEqualTo("*");
  }

  @Test
  void aClassBeyondTheLastIsTheLast() {
    assertThat(byKind("otp", "*").className(127)).isEqualTo("*");
    assertThat(QueueOrder.ARRIVAL.className(3)).isEqualTo("*");
  }

  @Test
  void aStarCanBeAValue() {
    QueueOrder order = byKind("\\*", "*", "\\!x");

    assertThat(order.rankOf(event("*"))).isZero();
    assertThat(order.rankOf(event("!x"))).isEqualTo(2);
    assertThat(order.rankOf(event("x"))).isEqualTo(1);
    assertThat(order.className(0)).isEqualTo("\\*");
  }

  @Test
  void equalTextsNameOneClass() {
    assertThat(QueueOrder.nameOfClass("a\\!b")).isEqualTo(QueueOrder.nameOfClass("a!b"));
    assertThat(QueueOrder.nameOfClass("*")).isEqualTo("*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "otp*", "!otp", "*a", "**"})
  void aClassIsOneValue(String text) {
    assertThatThrownBy(() -> QueueOrder.nameOfClass(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a class is one value, or * for all others; \\\\! and \\\\* are the characters");
  }

  @Test
  void aRowHasRoomForAHundredClasses() {
    String[] most = IntStream.range(1, 100).mapToObj(i -> "c" + i).toArray(String[]::new);
    String[] more = IntStream.range(0, 100).mapToObj(i -> "c" + i).toArray(String[]::new);

    assertThat(byKind(most).classCount()).isEqualTo(100);
    assertThatThrownBy(() -> byKind(more)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTenantIsTheHashOfItsValue() {
    QueueOrder order = fair(Map.of("acme", 3));

    assertThat(order.isFair()).isTrue();
    assertThat(order.tenantOf(event("acme"))).isEqualTo(EventHash.of("acme"));
    assertThat(order.tenantOf(event("Acme"))).isNotEqualTo(EventHash.of("acme"));
    assertThat(order.weightOf(order.tenantOf(event("acme")))).isEqualTo(3);
    assertThat(order.weightOf(order.tenantOf(event("other")))).isEqualTo(1);
  }

  @Test
  void eventsWithoutATenantShareOne() {
    QueueOrder order = fair(Map.of());

    assertThat(order.tenantOf(event(""))).isNotZero().isEqualTo(order.tenantOf(event("")));
  }

  @Test
  void theOrderNamesItsFields() {
    QueueOrder order =
        new QueueOrder(Optional.of(KIND), List.of("otp"), 0, Optional.of(Field.USER_ID), Map.of());

    assertThat(order.fields()).containsExactly(KIND, Field.USER_ID);
    assertThat(order.attributes()).containsExactly("kind");
  }
}
