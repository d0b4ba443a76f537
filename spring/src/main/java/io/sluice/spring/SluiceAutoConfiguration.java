package io.sluice.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.spring.kafka.ContainerCalls;
import io.sluice.spring.kafka.LimitedListeners;
import io.sluice.spring.kafka.ListenerContainers;
import io.sluice.spring.live.FollowedLimits;
import io.sluice.spring.metering.CallMeter;
import io.sluice.spring.metering.Metered;
import io.sluice.spring.metering.MeteredListener;
import io.sluice.spring.metering.RedisGate;
import io.sluice.spring.method.LimitedMethods;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.proxy.BackgroundCalls;
import io.sluice.spring.proxy.LimitedCallGuard;
import io.sluice.spring.proxy.PatientCaller;
import io.sluice.spring.proxy.RateLimitInterceptor;
import io.sluice.spring.proxy.RateLimitPostProcessor;
import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.settings.BootVersionCheck;
import io.sluice.spring.settings.ConfiguredLimits;
import io.sluice.spring.watch.CallCounts;
import io.sluice.spring.watch.LimitsEndpoint;
import io.sluice.spring.web.CallerOf;
import io.sluice.spring.web.MvcCall;
import io.sluice.spring.web.RateLimitProblems;
import io.sluice.spring.web.WebCall;
import io.sluice.spring.web.WebCallSource;
import io.sluice.spring.web.WebFluxCall;
import java.time.InstantSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of limits on methods of beans ({@link RateLimit}). The application can define
 * its own {@link RateLimitKeyResolver}; the other beans cannot be replaced.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
    })
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
final class SluiceAutoConfiguration {
  SluiceAutoConfiguration() {
    BootVersionCheck.check();
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimitKeyResolver rateLimitKeyResolver() {
    return CallerOf::byDefault;
  }

  @Bean
  ConfiguredLimits sluiceConfiguredLimits(Environment environment) {
    return ConfiguredLimits.of(environment);
  }

  @Bean
  LimitedMethods sluiceLimitedMethods(
      ConfiguredLimits configured, ObjectProvider<RateLimitKeyResolver> resolver) {
    return new LimitedMethods(configured.limits(), resolver::getObject);
  }

  /**
   * Creates the connection to Redis. It depends on the background threads so that it is closed
   * before them: when it closes, it completes pending calls, which continue on these threads.
   */
  @Bean
  @DependsOn("sluiceBackgroundCalls")
  RedisGate sluiceRedisGate(ConfiguredLimits configured) {
    return new RedisGate(configured.redis());
  }

  @Bean
  FollowedLimits sluiceLiveLimits(ConfiguredLimits configured) {
    return new FollowedLimits(configured, InstantSource.system());
  }

  @Bean
  CallMeter sluiceCallMeter(RedisGate redis, FollowedLimits limits) {
    return new CallMeter(redis, limits, InstantSource.system());
  }

  @Bean
  RateLimitInterceptor sluiceInterceptor(
      LimitedMethods methods,
      CallMeter meter,
      ObjectProvider<MeteredListener> counts,
      ObjectProvider<WebCallSource> web,
      ObjectProvider<PatientCaller> patient,
      BackgroundCalls background,
      BeanFactory beans) {
    MeteredListener counted = counts.getIfAvailable(() -> metered -> {});
    LimitedCallGuard guard =
        new LimitedCallGuard(meter, counted, SluiceAutoConfiguration::exceeded, beans);
    return new RateLimitInterceptor(
        methods,
        guard,
        web.getIfAvailable(() -> () -> WebCall.NONE),
        patient.getIfAvailable(() -> PatientCaller.NONE),
        background);
  }

  /**
   * Creates the exception for a refused call, in this package because its constructor is
   * package-private.
   */
  private static RateLimitExceededException exceeded(Metered metered) {
    MethodLimit deciding = metered.deciding();
    return new RateLimitExceededException(
        deciding.name(), metered.decisionOf(deciding), metered.exceeded());
  }

  @Bean
  BackgroundCalls sluiceBackgroundCalls() {
    return new BackgroundCalls();
  }

  @Bean
  StartCheck sluiceStartCheck(
      ConfigurableListableBeanFactory beans,
      ConfiguredLimits configured,
      LimitedMethods methods,
      RateLimitPostProcessor aspect) {
    boolean reactive = beans.containsBean("sluiceWebFluxFilter");
    return new StartCheck(beans, configured.mistakes(), methods, aspect, reactive);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RateLimitPostProcessor sluicePostProcessor(BeanFactory beans, Environment environment) {
    return new RateLimitPostProcessor(
        () -> beans.getBean(RateLimitInterceptor.class),
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
  }

  /** Beans for servlet applications. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
  static final class Mvc {
    @Bean
    WebCallSource sluiceMvcCalls() {
      return MvcCall::current;
    }

    @Bean
    RateLimitProblems sluiceRateLimitProblems() {
      return new RateLimitProblems();
    }
  }

  /** Beans for WebFlux applications. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass(name = "org.springframework.web.reactive.DispatcherHandler")
  static final class WebFlux {
    @Bean
    WebFluxCall.Filter sluiceWebFluxFilter() {
      return new WebFluxCall.Filter();
    }

    @Bean
    RateLimitProblems sluiceRateLimitProblems() {
      return new RateLimitProblems();
    }
  }

  /** Beans for Kafka listeners. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.kafka.config.ContainerPostProcessor")
  static final class Kafka {
    @Bean
    static LimitedListeners sluiceLimitedListeners() {
      return new LimitedListeners();
    }

    @Bean
    static ContainerCalls sluiceContainerCalls() {
      return new ContainerCalls();
    }

    @Bean(LimitedListeners.CONTAINERS)
    static ListenerContainers sluiceListenerContainers(ContainerCalls calls) {
      return new ListenerContainers(calls);
    }
  }

  /** Beans for Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
  @ConditionalOnBean(type = "io.micrometer.core.instrument.MeterRegistry")
  static final class Metrics {
    @Bean
    CallCounts sluiceCallCounts(MeterRegistry registry, RedisGate redis, FollowedLimits limits) {
      return new CallCounts(registry, redis, limits);
    }
  }

  /** Beans for Spring Boot's actuator. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(
      name = {
        "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
        "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint"
      })
  static final class Actuator {
    @Bean
    @ConditionalOnAvailableEndpoint
    LimitsEndpoint sluiceLimitsEndpoint(
        ConfigurableListableBeanFactory beans,
        StartCheck found,
        LimitedMethods methods,
        CallMeter meter,
        FollowedLimits limits) {
      return new LimitsEndpoint(beans, found, methods, meter, limits, InstantSource.system());
    }
  }
}
