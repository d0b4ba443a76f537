package io.sluice.runtime.cluster;

import io.sluice.live.LiveLimits;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.topology.config.SluiceConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Program that answers each line of input with the permits of the first limit in force. */
final class Asked {
  private Asked() {}

  /** Takes the path of a properties file as its argument. */
  public static void main(String[] arguments) throws Exception {
    SluiceConfig config = SluiceConfig.load(Path.of(arguments[0]));
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Monitoring monitoring = Monitoring.open(config, List.of());
        Cluster cluster = Cluster.open(config)) {
      cluster.prepareTopics();
      try (LiveLimits limits =
          LiveLimits.follow(
              config.limitsConfig(), cluster.limitsTopic().get(), monitoring.limits())) {
        while (questions.readLine() != null) {
          long nowMs = System.currentTimeMillis();
          long permits = limits.now().at(nowMs).all().get(0).rule().quota().permits();
          System.out.println("permits " + permits);
        }
      }
    }
  }
}
