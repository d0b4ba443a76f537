package io.sluice.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The Spring Boot application. */
@SpringBootApplication(proxyBeanMethods = false)
public class CommentsApplication {
  /** Starts the application. */
  public static void main(String[] arguments) {
    SpringApplication.run(CommentsApplication.class, arguments);
  }
}
