package io.sluice.spring;

import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.settings.ConfiguredLimits;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Follows revisions in a class loader without the libraries of a Sluice application. */
public final class Alone {
  private Alone() {}

  /** Returns the permits of the limit {@code reply} after the first attempt to read the topic. */
  public static long permits(String servers, String stream) {
    Thread.currentThread().setContextClassLoader(Alone.class.getClassLoader());
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> settings =
        Map.of(
            "sluice.bootstrap.servers",
            servers,
            "sluice.application.id",
            stream,
            "sluice.limit.reply.quota",
            "5/60s",
            "sluice.limit.reply.algorithm",
            "sliding-window-log");
    environment.getPropertySources().addFirst(new MapPropertySource("alone", settings));
    FollowedLimits limits =
        new FollowedLimits(ConfiguredLimits.of(environment), InstantSource.system());
    limits.start();
    try {
      return limits.now().at(System.currentTimeMillis()).all().get(0).rule().quota().permits();
    } finally {
      limits.stop();
    }
  }
}
