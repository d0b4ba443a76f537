package io.sluice.example;

import io.sluice.spring.RateLimit;
import io.sluice.spring.RateLimitExceededException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Controller with three limited methods. */
@RestController
class Comments {
  /** Two calls in any 30 seconds for each caller. */
  @RateLimit(period = 30, threshold = 2)
  @GetMapping("/api/hi")
  String hi() {
    return "hi\n";
  }

  /** Limited for each author by application.yaml; a long comment costs more. */
  @RateLimit(limit = "reply", key = "#author", cost = "#parts")
  @PostMapping("/api/reply")
  String reply(@RequestParam String author, @RequestParam(defaultValue = "1") int parts) {
    return author + " replied\n";
  }

  /**
   * One call in 10 seconds for all callers together; other calls get the answer of the fallback.
   */
  @RateLimit(quota = "1/10s", key = "'all'", fallback = "seen")
  @GetMapping("/api/top")
  String top() {
    return "the top of now\n";
  }

  String seen(RateLimitExceededException exceeded) {
    return "the top of a moment ago\n";
  }
}
