package com.example;

import io.sluice.spring.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Controller whose limit is configured, in Redis. */
@RestController
class Replies {
  @RateLimit(limit = "reply", key = "'ada'")
  @GetMapping("/api/reply")
  String reply() {
    return "replied";
  }
}
