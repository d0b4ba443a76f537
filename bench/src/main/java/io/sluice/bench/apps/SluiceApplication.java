package io.sluice.bench.apps;

import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import io.sluice.rules.event.Keys;
import io.sluice.server.Sluice;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sluice application with one limit, or several identical limits.
 *
 * @param limit settings of each limit, without their prefix
 * @param general other settings of the application
 * @param oneByOne whether Redis is called for each event, without prefetch
 * @param overrides number of users with a quota of their own
 * @param limits number of identical limits
 */
public record SluiceApplication(
    Map<String, String> limit,
    Map<String, String> general,
    boolean oneByOne,
    int overrides,
    int limits)
    implements Application {
  private static final String FIRST = "measured";

  public SluiceApplication(
      Map<String, String> limit, Map<String, String> general, boolean oneByOne) {
    this(limit, general, oneByOne, 0, 1);
  }

  /** Returns a copy in which this many users have a quota of their own. */
  public SluiceApplication withOverrides(int users) {
    return new SluiceApplication(limit, general, oneByOne, users, limits);
  }

  /** Returns a copy with this many identical limits; the verdicts are those of a single limit. */
  public SluiceApplication withLimits(int count) {
    return new SluiceApplication(limit, general, oneByOne, overrides, count);
  }

  /** Returns a copy with another setting that belongs to no limit. */
  public SluiceApplication with(String key, String value) {
    Map<String, String> more = new HashMap<>(general);
    more.put(key, value);
    return new SluiceApplication(limit, more, oneByOne, overrides, limits);
  }

  public static SluiceApplication onStateStore(String algorithm, String store) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm), Map.of(Keys.STATE_STORE, store), false);
  }

  public static SluiceApplication onRedis(String algorithm, boolean oneByOne) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm, "backend", "redis"), Map.of(), oneByOne);
  }

  /** Returns a copy whose limits have this quota instead of {@link Workload#QUOTA}. */
  public SluiceApplication withQuota(String quota) {
    return limiting("quota", quota);
  }

  /** Returns a copy whose limits count by these fields of the event. */
  public SluiceApplication by(String fields) {
    return limiting("key", fields);
  }

  private SluiceApplication limiting(String key, String value) {
    Map<String, String> more = new HashMap<>(limit);
    more.put(key, value);
    return new SluiceApplication(more, general, oneByOne, overrides, limits);
  }

  @Override
  public Running start(Workplace workplace) {
    if (overrides > 0) Overrides.publish(overrides, workplace);
    return oneByOne ? OneCallAnEvent.start(config(workplace), workplace) : open(workplace);
  }

  /** Starts the application as an instance whose metrics can be read. */
  public RunningSluice open(Workplace workplace) {
    return new RunningSluice(Sluice.start(config(workplace)));
  }

  private SluiceConfig config(Workplace workplace) {
    Map<String, String> settings = workplace.settings();
    List<String> names = names();
    settings.put("sluice.limits", String.join(",", names));
    for (String name : names) {
      String prefix = "sluice.limit." + name + ".";
      settings.put(prefix + "quota", Workload.QUOTA);
      limit.forEach((key, value) -> settings.put(prefix + key, value));
    }
    settings.putAll(general);
    return SluiceConfig.of(settings);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(List.of(FIRST));
    for (int i = 2; i <= limits; i++) names.add(FIRST + "-" + i);
    return names;
  }
}
