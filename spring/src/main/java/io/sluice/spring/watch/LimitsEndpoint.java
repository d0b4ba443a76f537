package io.sluice.spring.watch;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.metering.Metered;
import io.sluice.spring.method.LimitedMethod;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.method.MethodNames;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.topology.event.Keys;
import io.sluice.topology.limit.Limit;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator's {@code sluicelimits}: which methods are limited, and by what; and what is left for
 * a key, which asking does not charge.
 */
@Endpoint(id = "sluicelimits")
public final class LimitsEndpoint {
  private final ConfigurableListableBeanFactory beans;
  private final StartCheck found;
  private final LimitedMethods methods;
  private final CallMeter meter;

  public LimitsEndpoint(
      ConfigurableListableBeanFactory beans,
      StartCheck found,
      LimitedMethods methods,
      CallMeter meter) {
    this.beans = beans;
    this.found = found;
    this.methods = methods;
    this.meter = meter;
  }

  /** One limit of one method. */
  public record Limited(
      String bean,
      String method,
      String limit,
      String quota,
      String algorithm,
      String backend,
      String key) {}

  /** What is left for a key. */
  public record Left(
      String limit, String key, boolean conforms, long remaining, long resetAfterMs) {}

  /** All limited methods of all beans. */
  @ReadOperation
  public Map<String, List<Limited>> limits() {
    List<Limited> all = new ArrayList<>();
    found
        .limited()
        .forEach(
            (bean, each) ->
                each.forEach(
                    method ->
                        read(bean, method)
                            .limits()
                            .forEach(one -> all.add(told(bean, method, one)))));
    return Map.of("methods", all);
  }

  /**
   * What is left of a limit.
   *
   * @param key the text that calls are counted by; several fields as a stream joins them
   */
  @ReadOperation
  public Left left(@Selector String limit, String key) {
    MethodLimit asked = named().get(limit);
    if (asked == null) return null; // 404
    List<String> values = asked.limit().key().values(key);
    if (values.size() != asked.limit().key().fields().size()) return null;
    Metered metered = meter.meter(List.of(asked.ask(values)), 0);
    if (metered.asks().isEmpty()) return null;
    Decision decision = metered.decisionOf(asked);
    return new Left(
        limit,
        key,
        metered.conforms(asked),
        decision.remaining(),
        decision.resetAfterMicros() / 1_000);
  }

  private Map<String, MethodLimit> named() {
    Map<String, MethodLimit> named = new LinkedHashMap<>();
    found.limited().entrySet().stream()
        .flatMap(bean -> bean.getValue().stream().map(method -> read(bean.getKey(), method)))
        .flatMap(method -> method.limits().stream())
        .forEach(limit -> named.putIfAbsent(limit.name(), limit));
    return named;
  }

  private LimitedMethod read(String bean, Method method) {
    Class<?> type = found.own(bean, beans.getType(bean, false));
    return methods.of(method, type);
  }

  private static Limited told(String bean, Method method, MethodLimit limit) {
    return new Limited(
        bean,
        MethodNames.title(method),
        limit.name(),
        quota(limit.limit()),
        algorithm(limit.rule().algorithm()),
        limit.isRemote() ? "redis" : "in process",
        limit.keyText().isEmpty() ? "caller and method" : limit.keyText());
  }

  /** As the configuration calls it. */
  private static String algorithm(Algorithm algorithm) {
    return algorithm == Algorithm.GCRA ? "funnel" : Keys.nameOf(algorithm);
  }

  private static String quota(Limit limit) {
    long permits = limit.rule().quota().permits();
    return permits + " in " + limit.rule().quota().period();
  }
}
