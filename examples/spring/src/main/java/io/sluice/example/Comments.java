package io.sluice.example;

import io.sluice.spring.RateLimit;
import io.sluice.spring.RateLimitExceededException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Comments that people write, each no more than they may. */
@RestController
class Comments {
  /** For each caller, two in any 30 seconds. */
  @RateLimit(period = 30, threshold = 2)
  @GetMapping("/api/hi")
  String hi() {
    return "hi\n";
  }

  /** For each author, by the limit in application.yaml; a long comment costs more. */
  @RateLimit(limit = "reply", key = "#author", cost = "#parts")
  @PostMapping("/api/reply")
  String reply(@RequestParam String author, @RequestParam(defaultValue = "1") int parts) {
    return author + " replied\n";
  }

  /** For all together, one in 10 seconds; others get what was there before. */
  @RateLimit(quota = "1/10s", key = "'all'", fallback = "seen")
  @GetMapping("/api/top")
  String top() {
    return "the top of now\n";
  }

  String seen(RateLimitExceededException exceeded) {
    return "the top of a moment ago\n";
  }
}
