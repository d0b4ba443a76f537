package io.sluice.server.web;

import io.sluice.runtime.monitoring.Health;
import io.sluice.runtime.monitoring.Monitoring;
import java.util.Optional;

/** Responses with metrics in Prometheus' format, and to the health probes of orchestrators. */
final class Observed {
  private final Monitoring monitoring;

  Observed(Monitoring monitoring) {
    this.monitoring = monitoring;
  }

  /** Returns the response to a request for metrics or health; empty for any other path. */
  Optional<Answer> answer(String path, boolean reads) {
    if (!path.equals(Paths.METRICS) && !path.equals(Paths.LIVE) && !path.equals(Paths.READY)) {
      return Optional.empty();
    }
    if (!reads) {
      return Optional.of(Answer.only(path, "GET"));
    }
    return Optional.of(
        switch (path) {
          case Paths.METRICS -> Answer.of(200, Monitoring.FORMAT, monitoring.scrape());
          case Paths.LIVE -> health(monitoring.health().live());
          default -> health(monitoring.health().ready());
        });
  }

  private static Answer health(Health.Answer answer) {
    return Answer.line(answer.well() ? 200 : 503, answer.says());
  }
}
