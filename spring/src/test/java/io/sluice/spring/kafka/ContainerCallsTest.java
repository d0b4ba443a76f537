package io.sluice.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.util.ReflectionUtils;

/** Tells calls by a container from calls by a listener that the container calls. */
class ContainerCallsTest {
  private final ContainerCalls calls = new ContainerCalls();

  static class Bean {
    @KafkaListener(topics = "orders")
    void listener() {}

    void other() {}
  }

  private boolean calls(String name) {
    Method method = ReflectionUtils.findMethod(Bean.class, name);
    return calls.calls(method);
  }

  @Test
  void onlyTheFirstCallIsTheContainers() {
    List<Boolean> answers = new ArrayList<>();
    calls.make(
        () -> {
          answers.add(calls("listener"));
          answers.add(calls("listener"));
        });
    assertThat(answers).containsExactly(true, false);
  }

  @Test
  void whatIsNoListenerIsCalledByOne() {
    List<Boolean> answers = new ArrayList<>();
    calls.make(() -> answers.add(calls("other")));
    assertThat(answers).containsExactly(false);
  }

  @Test
  void outsideOfAContainerNobodyIsPatient() {
    assertThat(calls("listener")).isFalse();
    calls.make(() -> {});
    assertThat(calls("listener")).isFalse();
  }
}
