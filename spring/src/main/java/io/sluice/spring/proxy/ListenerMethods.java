package io.sluice.spring.proxy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Recognizes methods that listener containers of Spring for Apache Kafka call, without a dependency
 * on that library.
 */
public final class ListenerMethods {
  private static final String LISTENER = "org.springframework.kafka.annotation.KafkaListener";
  private static final String LISTENERS = "org.springframework.kafka.annotation.KafkaListeners";
  private static final String HANDLER = "org.springframework.kafka.annotation.KafkaHandler";

  private ListenerMethods() {}

  /** Whether a listener container calls the method, by its annotations. */
  public static boolean include(Method method) {
    MergedAnnotations annotations = annotations(method);
    return Set.of(LISTENER, LISTENERS, HANDLER).stream().anyMatch(annotations::isPresent);
  }

  private static MergedAnnotations annotations(Method method) {
    return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
  }

  /**
   * Returns the reasons why records of a listener method cannot wait for a limit, one line each;
   * empty for methods that are no listeners.
   */
  static List<String> problems(Method method, Class<?> type) {
    if (!include(method)) return List.of();
    List<String> problems = new ArrayList<>();
    Class<?> returned = method.getReturnType();
    boolean later =
        CompletionStage.class.isAssignableFrom(returned)
            || Future.class.isAssignableFrom(returned)
            || returned.getName().startsWith("reactor.core.publisher.");
    if (KotlinDetector.isSuspendingFunction(method)) {
      problems.add(
          "a limited @KafkaListener cannot be a suspend function: it must return when the record"
              + " is processed");
    } else if (later) {
      problems.add(
          "a limited @KafkaListener must return when the record is processed: return no "
              + returned.getSimpleName());
    }
    listeners(method, type).forEach(listener -> check(listener, problems));
    return problems;
  }

  private static List<MergedAnnotation<?>> listeners(Method method, Class<?> type) {
    List<MergedAnnotation<?>> listeners = new ArrayList<>();
    annotations(method).stream(LISTENER).forEach(listeners::add);
    MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).stream(LISTENER)
        .forEach(listeners::add);
    return listeners;
  }

  private static void check(MergedAnnotation<?> listener, List<String> problems) {
    if (listener.getString("batch").equalsIgnoreCase("true")) problems.add(OF_BATCHES);
    if (!listener.getString("containerPostProcessor").isEmpty()) {
      problems.add(
          "a limited @KafkaListener cannot have a containerPostProcessor, because Sluice sets it to"
              + " make records wait; use a ContainerCustomizer instead");
    }
  }

  /** Error message for a limited listener that takes batches of records. */
  public static final String OF_BATCHES =
      "a limited @KafkaListener must take one record at a time, not a batch; limit a method that"
          + " the listener calls for each record";
}
