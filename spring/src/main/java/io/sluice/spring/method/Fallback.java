package io.sluice.spring.method;

import io.sluice.spring.RateLimitExceededException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ReflectionUtils;

/** Reaction to a call over its limit: calls another method of the bean, or throws the exception. */
public interface Fallback {
  /** No fallback method: throws the exception. */
  Fallback NONE =
      (bean, arguments, exceeded) -> {
        throw exceeded;
      };

  /** Returns the value that the caller gets in place of the limited method's value. */
  Object answer(Object bean, Object[] arguments, RateLimitExceededException exceeded)
      throws Throwable;

  /**
   * Finds a fallback method of the same class, with the same parameters, optionally followed by the
   * exception.
   *
   * @throws IllegalArgumentException if there is no such method, or it has another return type
   */
  static Fallback of(String name, Method limited, Class<?> type) {
    if (name.isEmpty()) return NONE;
    if (KotlinDetector.isSuspendingFunction(limited)) {
      throw new IllegalArgumentException(
          "a suspend function has none; catch the RateLimitExceededException");
    }
    Class<?>[] plain = limited.getParameterTypes();
    Class<?>[] told = Arrays.copyOf(plain, plain.length + 1);
    told[plain.length] = RateLimitExceededException.class;
    Method method =
        find(type, name, told)
            .or(() -> find(type, name, plain))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no method " + name + " with the same parameters"));
    if (!returns(method, limited)) {
      throw new IllegalArgumentException(
          name
              + " returns "
              + method.getReturnType().getSimpleName()
              + ", not "
              + limited.getReturnType().getSimpleName());
    }
    if (method.equals(limited)) {
      throw new IllegalArgumentException(name + " is the limited method; name another method");
    }
    method.setAccessible(true);
    return (bean, arguments, exceeded) -> invoke(method, bean, arguments, exceeded);
  }

  private static Optional<Method> find(Class<?> type, String name, Class<?>[] parameters) {
    return Optional.ofNullable(ReflectionUtils.findMethod(type, name, parameters));
  }

  private static boolean returns(Method method, Method limited) {
    Class<?> wanted = limited.getReturnType();
    return wanted == void.class || wanted.isAssignableFrom(method.getReturnType());
  }

  private static Object invoke(
      Method method, Object bean, Object[] arguments, RateLimitExceededException exceeded)
      throws Throwable {
    Object[] given = arguments;
    if (method.getParameterCount() > arguments.length) {
      given = Arrays.copyOf(arguments, arguments.length + 1);
      given[arguments.length] = exceeded;
    }
    try {
      return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : bean, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
