package io.sluice.spring.watch;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.metering.Metered;
import io.sluice.spring.method.LimitedMethod;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.method.MethodNames;
import io.sluice.spring.proxy.StartCheck;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Actuator endpoint {@code sluicelimits}: shows the limited methods and their limits, and the
 * remaining permits of a key without charging it.
 */
@Endpoint(id = "sluicelimits")
public final class LimitsEndpoint {
  private final ConfigurableListableBeanFactory beans;
  private final StartCheck found;
  private final LimitedMethods methods;
  private final CallMeter meter;
  private final FollowedLimits live;
  private final InstantSource clock;

  public LimitsEndpoint(
      ConfigurableListableBeanFactory beans,
      StartCheck found,
      LimitedMethods methods,
      CallMeter meter,
      FollowedLimits live,
      InstantSource clock) {
    this.beans = beans;
    this.found = found;
    this.methods = methods;
    this.meter = meter;
    this.live = live;
    this.clock = clock;
  }

  /**
   * One limit of one method, with the settings that are in force now.
   *
   * @param quota "off" if a revision (a dated change of a limit) has disabled the limit
   * @param revisions revisions that determine the limit's settings for all callers; empty if the
   *     settings are as configured
   */
  public record Limited(
      String bean,
      String method,
      String limit,
      String quota,
      String algorithm,
      String backend,
      String key,
      List<Followed.Said> revisions) {}

  /**
   * All limited methods.
   *
   * @param live state of the topic from which revisions (dated changes of limits) are read; empty
   *     if the application reads none
   */
  public record Overview(List<Limited> methods, List<Followed> live) {}

  /**
   * Remaining permits of a key under a limit.
   *
   * @param conforms whether a call with cost 1 would conform
   * @param resetAfterMs milliseconds, rounded up, so that this wait is always long enough
   */
  public record Left(
      String limit, String key, boolean conforms, long remaining, long resetAfterMs) {}

  /**
   * Returns all limited methods of all beans, and the state of the topic of revisions (dated
   * changes of limits).
   */
  @ReadOperation
  public Overview limits() {
    long nowMs = clock.millis();
    LimitsInForce inForce = live.now();
    List<Limited> all = new ArrayList<>();
    found
        .limited()
        .forEach(
            (bean, each) ->
                each.forEach(
                    method ->
                        read(bean, method)
                            .limits()
                            .forEach(one -> all.add(told(bean, method, one, inForce, nowMs)))));
    return new Overview(
        all, live.follower().map(each -> Followed.of(each, nowMs)).stream().toList());
  }

  /**
   * Returns the remaining permits of a key, without charging it; null, which the endpoint answers
   * with 404, if the limit is unknown or does not meter the key now.
   *
   * @param key text by which calls are counted; several key fields are joined as in the keys of a
   *     Sluice application
   */
  @ReadOperation
  public Left left(@Selector String limit, String key) {
    MethodLimit asked = named().get(limit);
    if (asked == null) return null; // the endpoint answers with 404
    List<String> values = asked.limit().key().values(key);
    if (values.size() != asked.limit().key().fields().size()) return null;
    Metered metered = meter.meter(List.of(asked.ask(values)), 0);
    if (metered.claims().isEmpty()) return null;
    Decision decision = metered.decisionOf(asked);
    return new Left(
        limit,
        key,
        // A probe with cost 0 conforms even if no permits remain.
        metered.conforms(asked) && decision.remaining() > 0,
        decision.remaining(),
        (decision.resetAfterMicros() + 999) / 1_000);
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

  private static Limited told(
      String bean, Method method, MethodLimit limit, LimitsInForce inForce, long nowMs) {
    Optional<Limit> now = now(limit, inForce, nowMs);
    Limit shown = now.orElse(limit.limit());
    return new Limited(
        bean,
        MethodNames.title(method),
        limit.name(),
        now.map(LimitsEndpoint::quota).orElse("off"),
        algorithm(shown.rule().algorithm()),
        limit.isRemote() ? "redis" : "in process",
        limit.keyText().isEmpty() ? "caller and method" : limit.keyText(),
        limit.isConfigured() ? Followed.said(inForce, limit.name(), nowMs) : List.of());
  }

  /**
   * Returns the limit with the settings in force for all callers; empty if a revision (a dated
   * change of limits) has disabled the limit.
   */
  private static Optional<Limit> now(MethodLimit limit, LimitsInForce inForce, long nowMs) {
    if (!limit.isConfigured()) return Optional.of(limit.limit());
    return inForce.at(nowMs).all().stream()
        .filter(each -> each.name().equals(limit.name()))
        .findFirst();
  }

  /** Returns the name of an algorithm as the configuration spells it. */
  private static String algorithm(Algorithm algorithm) {
    return algorithm == Algorithm.GCRA ? "funnel" : Keys.nameOf(algorithm);
  }

  private static String quota(Limit limit) {
    long permits = limit.rule().quota().permits();
    return permits + " in " + limit.rule().quota().period();
  }
}
