package io.sluice.spring.kafka;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.listener.CommonErrorHandler;

/** The error handler of the user, behind the one that makes records wait. */
class TurnErrorHandlerTest {
  /** One that is forgotten would silently do what Spring does by default. */
  @Test
  void itHandsOnAllThatAnErrorHandlerCanBeAsked() {
    assertThat(methods(TurnErrorHandler.class)).containsAll(methods(CommonErrorHandler.class));
  }

  private static Set<List<Object>> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !method.isSynthetic() && !method.getName().equals("logger"))
        .map(TurnErrorHandlerTest::signature)
        .collect(toSet());
  }

  private static List<Object> signature(Method method) {
    return List.of(method.getName(), List.of(method.getParameterTypes()));
  }
}
