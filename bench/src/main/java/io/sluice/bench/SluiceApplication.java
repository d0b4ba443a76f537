package io.sluice.bench;

import io.sluice.topology.Sluice;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Keys;
import java.util.HashMap;
import java.util.Map;

/**
 * Sluice with one limit.
 *
 * @param limit its settings, without what they begin with
 * @param general further settings
 * @param oneByOne whether Redis is asked for each event as it is processed
 * @param overrides how many users have numbers of their own
 */
record SluiceApplication(
    Map<String, String> limit, Map<String, String> general, boolean oneByOne, int overrides)
    implements Application {

  SluiceApplication(Map<String, String> limit, Map<String, String> general, boolean oneByOne) {
    this(limit, general, oneByOne, 0);
  }

  /** The same with numbers of their own for so many users. */
  SluiceApplication withOverrides(int users) {
    return new SluiceApplication(limit, general, oneByOne, users);
  }

  static SluiceApplication onStateStore(String algorithm, String store) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm), Map.of(Keys.STATE_STORE, store), false);
  }

  static SluiceApplication onRedis(String algorithm, boolean oneByOne) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm, "backend", "redis"), Map.of(), oneByOne);
  }

  /** The same with another quota than {@link Workload#QUOTA}. */
  SluiceApplication withQuota(String quota) {
    Map<String, String> same = new HashMap<>(limit);
    same.put("quota", quota);
    return new SluiceApplication(same, general, oneByOne, overrides);
  }

  @Override
  public Running start(Workplace workplace) {
    Map<String, String> settings = workplace.settings();
    settings.put("sluice.limits", "measured");
    settings.put("sluice.limit.measured.quota", Workload.QUOTA);
    limit.forEach((key, value) -> settings.put("sluice.limit.measured." + key, value));
    settings.putAll(general);
    if (overrides > 0) Overrides.publish(overrides, workplace);
    SluiceConfig config = SluiceConfig.of(settings);
    return oneByOne
        ? OneCallAnEvent.start(config, workplace)
        : new RunningSluice(Sluice.start(config));
  }

  private record RunningSluice(Sluice sluice) implements Running {
    @Override
    public boolean hasFailed() {
      return sluice.hasFailed();
    }

    @Override
    public void close() {
      sluice.close();
    }
  }
}
