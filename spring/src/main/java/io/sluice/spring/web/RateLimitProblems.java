package io.sluice.spring.web;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.spring.RateLimitExceededException;
import java.net.URI;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responses to web requests whose limited call was refused: 429 with the problem type
 * quota-exceeded, and 503 if a limit rejects calls while Redis is unavailable. The order is that of
 * Spring Boot's own advice. For other responses, an application handles the exception in the
 * controller, or in an advice with an order below 0.
 */
@RestControllerAdvice
@Order(0)
public final class RateLimitProblems {
  private static final URI QUOTA_EXCEEDED =
      URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded");

  @ExceptionHandler
  ProblemDetail exceeded(RateLimitExceededException exceeded) {
    ProblemDetail problem = ProblemDetail.forStatus(HttpStatus.TOO_MANY_REQUESTS);
    problem.setType(QUOTA_EXCEEDED);
    problem.setTitle("Request cannot be satisfied as assigned quota has been exceeded");
    problem.setProperty("violated-policies", exceeded.exceeded());
    return problem;
  }

  @ExceptionHandler
  ProblemDetail unavailable(LimiterUnavailableException unavailable) {
    return ProblemDetail.forStatus(HttpStatus.SERVICE_UNAVAILABLE);
  }
}
