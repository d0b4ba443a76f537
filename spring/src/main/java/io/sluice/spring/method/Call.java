package io.sluice.spring.method;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import org.springframework.expression.EvaluationContext;

/**
 * One call of a limited method, as its key and cost are made of it.
 *
 * @param variables the arguments by name, and the bean as the root
 */
public record Call(Method method, EvaluationContext variables, Caller caller) {
  /** What is thrown in place of a call whose key or cost is none. */
  IllegalStateException refused(String problem, Throwable cause) {
    return new IllegalStateException(
        "@RateLimit on " + MethodNames.title(method) + ": " + problem, cause);
  }
}
