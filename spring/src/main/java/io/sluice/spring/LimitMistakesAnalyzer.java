package io.sluice.spring;

import io.sluice.spring.settings.LimitMistakesException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns mistakes in the settings or annotations of limits into a report that Spring Boot prints at
 * start instead of a stack trace.
 */
final class LimitMistakesAnalyzer extends AbstractFailureAnalyzer<LimitMistakesException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, LimitMistakesException cause) {
    return new FailureAnalysis(
        "Limits cannot be enforced because of these mistakes:\n\n" + cause.getMessage(),
        "Correct the annotations and settings that the mistakes name.",
        cause);
  }
}
