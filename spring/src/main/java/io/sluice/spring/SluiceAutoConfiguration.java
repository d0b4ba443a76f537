package io.sluice.spring;

import io.micrometer.core.instrument.MeterRegistry;
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
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** The auto-configuration of limits; each part stands back for a bean of the application. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
    })
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
final class SluiceAutoConfiguration {
  SluiceAutoConfiguration() {
    Generation.check();
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimitKeyResolver rateLimitKeyResolver() {
    return CallerOf::byDefault;
  }

  @Bean
  ConfiguredLimits sluiceConfiguredLimits(Environment environment) {
    return new ConfiguredLimits(SluiceSettings.of(environment));
  }

  @Bean
  LimitedMethods sluiceLimitedMethods(
      ConfiguredLimits configured, ObjectProvider<RateLimitKeyResolver> resolver) {
    return new LimitedMethods(
        new MethodReader(new LimitReader(configured.limits()), new KeyReader(resolver::getObject)));
  }

  @Bean
  RedisGate sluiceRedisGate(ConfiguredLimits configured) {
    return new RedisGate(configured.redis());
  }

  @Bean
  CallMeter sluiceCallMeter(RedisGate redis) {
    return new CallMeter(new HeapMeter(), redis, InstantSource.system());
  }

  @Bean
  RateLimitInterceptor sluiceInterceptor(
      LimitedMethods methods,
      CallMeter meter,
      ObjectProvider<MeteredListener> counts,
      ObjectProvider<WebCallSource> web,
      BackgroundCalls background,
      BeanFactory beans) {
    Turnstile turnstile = new Turnstile(meter, counts.getIfAvailable(() -> metered -> {}), beans);
    return new RateLimitInterceptor(
        methods, turnstile, web.getIfAvailable(() -> () -> WebCall.NONE), background);
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

  /** What servlets need. */
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

  /** What WebFlux needs. */
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

  /** What Micrometer needs. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
  @ConditionalOnBean(type = "io.micrometer.core.instrument.MeterRegistry")
  static final class Metrics {
    @Bean
    CallCounts sluiceCallCounts(MeterRegistry registry, RedisGate redis) {
      return new CallCounts(registry, redis);
    }
  }

  /** What the actuator needs. */
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
        CallMeter meter) {
      return new LimitsEndpoint(beans, found, methods, meter);
    }
  }
}
