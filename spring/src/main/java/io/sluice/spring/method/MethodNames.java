package io.sluice.spring.method;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Names of a Java method: a short title, and a unique signature. */
public final class MethodNames {
  private MethodNames() {}

  /** Returns a short title, such as {@code Comments.reply}. */
  public static String title(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  /** Returns a unique name, such as {@code com.example.Comments.reply(com.example.Comment)}. */
  public static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getName)
        .collect(
            joining(",", method.getDeclaringClass().getName() + "." + method.getName() + "(", ")"));
  }
}
