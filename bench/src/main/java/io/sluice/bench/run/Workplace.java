package io.sluice.bench.run;

import io.sluice.bench.input.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * Environment of one run of an application: its application id, addresses and topics.
 *
 * @param guarantee value of {@code processing.guarantee}
 * @param further settings that take precedence over all others
 */
public record Workplace(
    String applicationId,
    String bootstrapServers,
    String redisUri,
    String input,
    String guarantee,
    Map<String, String> further,
    String stateFolder) {

  public String allowed() {
    return applicationId + "-allowed";
  }

  /** Returns a copy with another setting that takes precedence over all others. */
  public Workplace with(String key, String value) {
    Map<String, String> more = new HashMap<>(further);
    more.put(key, value);
    return new Workplace(
        applicationId, bootstrapServers, redisUri, input, guarantee, more, stateFolder);
  }

  public String rejected() {
    return applicationId + "-rejected";
  }

  /**
   * Returns the settings that all measured applications share, in the form of Sluice's
   * configuration.
   */
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("application.id", applicationId);
    settings.put("processing.guarantee", guarantee);
    settings.put("commit.interval.ms", "100");
    settings.put("auto.offset.reset", "earliest");
    settings.put("state.dir", stateFolder);
    settings.put("main.consumer.interceptor.classes", FirstPoll.class.getName());
    settings.put("sluice.topics.input", input);
    settings.put("sluice.topics.allowed", allowed());
    settings.put("sluice.topics.rejected", rejected());
    settings.put("sluice.topics.delayed", applicationId + "-delayed");
    settings.put("sluice.topics.dead-letter", applicationId + "-dead-letter");
    settings.put("sluice.topics.partitions", Integer.toString(Workload.PARTITIONS));
    settings.put("sluice.redis.uri", redisUri);
    settings.put("sluice.redis.timeout", "1s");
    settings.put("sluice.redis.key.prefix", applicationId);
    settings.putAll(further);
    return settings;
  }
}
