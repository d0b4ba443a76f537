package com.example;

import io.sluice.spring.RateLimit;
import io.sluice.spring.RateLimitExceededException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Spring Boot application with two greetings in half a minute, limited by the starter. */
@SpringBootApplication(proxyBeanMethods = false)
public class Greetings {
  static class Greeter {
    @RateLimit(quota = "2/30s", key = "'all'")
    String greeting() {
      return "hi";
    }
  }

  @Bean
  Greeter greeter() {
    return new Greeter();
  }

  public static void main(String[] arguments) {
    try (var application = SpringApplication.run(Greetings.class, arguments)) {
      Greeter greeter = application.getBean(Greeter.class);
      for (int i = 0; i < 3; i++) System.out.println(greeter.greeting());
    } catch (RateLimitExceededException e) {
      System.out.println("not now");
    }
  }
}
