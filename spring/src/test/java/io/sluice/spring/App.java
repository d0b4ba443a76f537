package io.sluice.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Running application on a free port. */
public record App(ConfigurableApplicationContext context) implements AutoCloseable {
  /** Starts an application with servlets. */
  public static App mvc(Class<?> source, String... settings) {
    return start(WebApplicationType.SERVLET, source, settings);
  }

  /** Starts an application with WebFlux. */
  public static App webFlux(Class<?> source, String... settings) {
    return start(WebApplicationType.REACTIVE, source, settings);
  }

  /** Starts an application without a server. */
  public static App plain(Class<?> source, String... settings) {
    return start(WebApplicationType.NONE, source, settings);
  }

  private static App start(WebApplicationType type, Class<?> source, String... settings) {
    List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
    for (String setting : settings) arguments.add("--" + setting);
    return new App(
        new SpringApplicationBuilder(source)
            .web(type)
            .bannerMode(org.springframework.boot.Banner.Mode.OFF)
            .run(arguments.toArray(String[]::new)));
  }

  public String url() {
    return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  @Override
  public void close() {
    context.close();
  }
}
