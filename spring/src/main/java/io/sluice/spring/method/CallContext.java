package io.sluice.spring.method;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import org.springframework.expression.EvaluationContext;

/**
 * Call of a limited method, in which key and cost expressions are evaluated.
 *
 * @param variables arguments by parameter name, with the bean as the root object
 */
public record CallContext(Method method, EvaluationContext variables, Caller caller) {
  /** Creates the exception for a call whose key or cost is invalid. */
  IllegalStateException refused(String problem, Throwable cause) {
    return new IllegalStateException(
        "@RateLimit on " + MethodNames.title(method) + ": " + problem, cause);
  }
}
