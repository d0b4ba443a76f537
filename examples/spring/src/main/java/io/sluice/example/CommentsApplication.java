package io.sluice.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
public class CommentsApplication {
  /** Starts it. */
  public static void main(String[] arguments) {
    SpringApplication.run(CommentsApplication.class, arguments);
  }
}
