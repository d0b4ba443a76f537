package io.sluice.spring.kafka;

import io.sluice.spring.method.LimitedMethods;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.MethodIntrospector;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Gives each limited {@code @KafkaListener} a container post-processor, which prepares the
 * listener's container so that records can wait for a limit.
 */
public final class LimitedListeners implements AnnotationEnhancer {
  /** Name of the bean that post-processes the containers of limited listeners. */
  public static final String CONTAINERS = "sluiceListenerContainers";

  @Override
  public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement listener) {
    if (!isLimited(listener)) return attributes;
    Map<String, Object> prepared = new LinkedHashMap<>(attributes);
    prepared.put("containerPostProcessor", CONTAINERS);
    return prepared;
  }

  private static boolean isLimited(AnnotatedElement listener) {
    if (listener instanceof Method method) {
      return LimitedMethods.isLimited(method, method.getDeclaringClass());
    }
    if (!(listener instanceof Class<?> type)) return false;
    MethodFilter limited = method -> LimitedMethods.isLimited(method, type);
    return !MethodIntrospector.selectMethods(type, limited).isEmpty();
  }
}
