package io.sluice.bench.lab;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the machine on which a benchmark runs. */
public final class Machine {
  private static final long MIB = 1 << 20;

  private Machine() {}

  public static Map<String, String> facts(String redisVersion) {
    Runtime runtime = Runtime.getRuntime();
    var system = ManagementFactory.getOperatingSystemMXBean();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cores", Integer.toString(runtime.availableProcessors()));
    facts.put("memory", "%,d MiB".formatted(memory() / MIB));
    facts.put("heap", "%,d MiB at most".formatted(runtime.maxMemory() / MIB));
    facts.put(
        "jvm",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    facts.put("system", system.getName() + " " + system.getVersion() + " " + system.getArch());
    facts.put("load before", "%.2f".formatted(system.getSystemLoadAverage()));
    facts.put("redis", redisVersion);
    facts.put("kafka", org.apache.kafka.common.utils.internals.AppInfoParser.getVersion());
    return facts;
  }

  private static long memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : 0;
  }
}
