package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.settings.LimitMistakesException;
import io.sluice.spring.watch.LimitsEndpoint;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that are called by their interface, through a JDK proxy. */
@Tag("slow") // starts an application for each test
class JdkProxyTest {
  private static final String BY_INTERFACE = "spring.aop.proxy-target-class=false";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Post.class)
  static class Application {}

  interface Sender {
    String send(String to);
  }

  interface Mail extends Sender {
    @RateLimit(quota = "1/60s", key = "#to")
    String print(String to);

    String read();
  }

  static class Post implements Mail {
    @Override
    @RateLimit(quota = "1/60s", key = "#to")
    public String send(String to) {
      return "sent";
    }

    @Override
    public String print(String to) {
      return "printed";
    }

    @Override
    public String read() {
      return "read";
    }
  }

  @Test
  void aMethodIsLimitedWhereverItsAnnotationStands() {
    try (App app = App.plain(Application.class, BY_INTERFACE)) {
      Mail mail = app.bean(Mail.class);
      assertThat(Proxy.isProxyClass(mail.getClass())).isTrue();

      assertThat(mail.send("ada")).isEqualTo("sent");
      assertThat(mail.send("bob")).isEqualTo("sent");
      assertThat(catchThrowable(() -> mail.send("ada")))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(mail.print("ada")).isEqualTo("printed");
      assertThat(catchThrowable(() -> mail.print("ada")))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(mail.read()).isEqualTo("read");
    }
  }

  @Test
  void itsMethodsAreFoundAtStart() {
    try (App app = App.plain(Application.class, BY_INTERFACE)) {
      assertThat(app.bean(StartCheck.class).limited().values())
          .singleElement()
          .satisfies(
              methods ->
                  assertThat(methods)
                      .extracting(method -> method.getName())
                      .containsExactlyInAnyOrder("send", "print"));
      LimitsEndpoint endpoint =
          new LimitsEndpoint(
              app.context().getBeanFactory(),
              app.bean(StartCheck.class),
              app.bean(LimitedMethods.class),
              app.bean(CallMeter.class),
              app.bean(FollowedLimits.class),
              InstantSource.system());
      assertThat(endpoint.limits().methods())
          .extracting(LimitsEndpoint.Limited::limit)
          .containsExactlyInAnyOrder("Post.send", "Post.print");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Wrong.class)
  static class Mistaken {}

  static class Wrong implements Sender {
    @Override
    @RateLimit(quota = "1/60s", key = "#whom")
    public String send(String to) {
      return "sent";
    }
  }

  @Test
  void itsMistakesAreFoundAtStart() {
    assertThat(catchThrowable(() -> App.plain(Mistaken.class, BY_INTERFACE).close()))
        .isInstanceOf(LimitMistakesException.class)
        .hasMessageContaining("Wrong.send: key=#whom: no parameter #whom");
  }
}
