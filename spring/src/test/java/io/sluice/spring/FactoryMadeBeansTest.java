package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.spring.proxy.StartCheck;
import io.sluice.spring.settings.LimitMistakesException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** Beans that a factory creates, such as MyBatis mappers and OpenFeign clients. */
class FactoryMadeBeansTest {
  interface Mapper {
    @RateLimit(quota = "1/60s", key = "#user")
    String find(String user);
  }

  /** Creates a JDK proxy without Spring. */
  static class MapperFactory implements FactoryBean<Mapper> {
    @Override
    public Mapper getObject() {
      return (Mapper)
          Proxy.newProxyInstance(
              Mapper.class.getClassLoader(),
              new Class<?>[] {Mapper.class},
              (proxy, method, args) -> method.getDeclaringClass() == Object.class ? null : "found");
    }

    @Override
    public Class<?> getObjectType() {
      return Mapper.class;
    }
  }

  static final class FinalMapper implements Mapper {
    @Override
    public String find(String user) {
      return "found";
    }
  }

  static class FinalMapperFactory implements FactoryBean<Mapper> {
    @Override
    public Mapper getObject() {
      return new FinalMapper();
    }

    @Override
    public Class<?> getObjectType() {
      return Mapper.class;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(MapperFactory.class)
  static class WithMapper {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithBeanMethod {
    @Bean
    Mapper mapper() {
      return new MapperFactory().getObject();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(FinalMapperFactory.class)
  static class WithFinalMapper {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class WithFinalPrototype {
    @Bean
    @Scope("prototype")
    Mapper mapper() {
      return new FinalMapper();
    }
  }

  /** Creates its mapper when the first bean needs it. */
  @Lazy
  static class LazyMapperFactory extends MapperFactory {
    static final AtomicInteger MADE = new AtomicInteger();

    @Override
    public Mapper getObject() {
      MADE.incrementAndGet();
      return super.getObject();
    }
  }

  static class NullFactory extends MapperFactory {
    @Override
    public Mapper getObject() {
      return null;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(LazyMapperFactory.class)
  static class WithLazyMapper {
    @Bean
    Object needsTheFactoryAlone(LazyMapperFactory factory) {
      return factory.getObjectType();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(NullFactory.class)
  static class WithNoMapper {}

  @Test
  void aLazyFactoryMakesItsBeanWhenItIsNeeded() {
    LazyMapperFactory.MADE.set(0);
    try (App app = App.plain(WithLazyMapper.class)) {
      assertThat(LazyMapperFactory.MADE).hasValue(0);
      Mapper mapper = app.bean(Mapper.class);
      assertThat(mapper.find("ada")).isEqualTo("found");
      assertThat(catchThrowable(() -> mapper.find("ada")))
          .isInstanceOf(RateLimitExceededException.class);
    }
  }

  @Test
  void aFactoryThatMakesNothingIsNoMistake() {
    App.plain(WithNoMapper.class).close();
  }

  @ParameterizedTest
  @ValueSource(classes = {WithMapper.class, WithBeanMethod.class})
  void aProxyOfTheJdkIsLimited(Class<?> application) {
    for (String setting :
        new String[] {
          "spring.aop.proxy-target-class=true", "spring.aop.proxy-target-class=false"
        }) {
      try (App app = App.plain(application, setting)) {
        Mapper mapper = app.bean(Mapper.class);
        assertThat(mapper.find("ada")).isEqualTo("found");
        assertThat(catchThrowable(() -> mapper.find("ada")))
            .isInstanceOf(RateLimitExceededException.class);
        assertThat(mapper.find("bob")).isEqualTo("found");
        assertThat(app.bean(StartCheck.class).limited()).hasSize(1);
      }
    }
  }

  @Test
  void aFinalClassThatAFactoryMakesIsAMistake() {
    assertThat(catchThrowable(() -> App.plain(WithFinalMapper.class).close()))
        .isInstanceOf(LimitMistakesException.class)
        .hasMessageContaining("a final class has no proxy");
  }

  @Test
  void aFinalClassThatIsMadeLaterIsNotMade() {
    try (App app = App.plain(WithFinalPrototype.class)) {
      assertThat(catchThrowable(() -> app.bean(Mapper.class)))
          .isInstanceOf(BeanCreationException.class)
          .hasMessageContaining("a final class has no proxy");
    }
  }
}
