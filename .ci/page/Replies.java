package com.example;

import io.sluice.spring.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Limited by the configuration, in Redis. */
@RestController
class Replies {
  @RateLimit(limit = "reply", key = "'ada'")
  @GetMapping("/api/reply")
  String reply() {
    return "replied";
  }
}
