package io.sluice.spring.method;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Method;
import java.util.Arrays;

/** The names of a method: one for people, and one that no other method has. */
public final class MethodNames {
  private MethodNames() {}

  /** Such as {@code Comments.reply}. */
  public static String title(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
  }

  /** Such as {@code com.example.Comments.reply(com.example.Comment)}. */
  public static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getName)
        .collect(
            joining(",", method.getDeclaringClass().getName() + "." + method.getName() + "(", ")"));
  }
}
