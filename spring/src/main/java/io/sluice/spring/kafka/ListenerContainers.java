package io.sluice.spring.kafka;

import io.sluice.spring.settings.LimitMistakesException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;

/**
 * Prepares the containers of limited Kafka listeners so that records over a limit can wait: wraps
 * their listeners, error handlers and rollback processors. This happens before any container
 * starts, and after all other customizations, because retry topics set a listener and an error
 * handler of their own.
 */
public final class ListenerContainers
    implements ContainerPostProcessor<
            Object, Object, AbstractMessageListenerContainer<Object, Object>>,
        SmartLifecycle,
        AutoCloseable {
  private final ContainerCalls calls;
  private final Pauses pauses = new Pauses();
  private final List<AbstractMessageListenerContainer<Object, Object>> made = new ArrayList<>();
  private boolean running;

  public ListenerContainers(ContainerCalls calls) {
    this.calls = calls;
  }

  @Override
  public synchronized void postProcess(AbstractMessageListenerContainer<Object, Object> container) {
    check(List.of(container));
    if (running) prepare(container);
    else made.add(container);
  }

  private static void check(List<AbstractMessageListenerContainer<Object, Object>> containers) {
    List<String> mistakes =
        containers.stream().flatMap(each -> ContainerMistakes.of(each).stream()).toList();
    if (!mistakes.isEmpty()) throw new LimitMistakesException(mistakes);
  }

  @SuppressWarnings("unchecked") // ContainerMistakes checks the listener's type
  private void prepare(AbstractMessageListenerContainer<Object, Object> container) {
    ContainerProperties properties = container.getContainerProperties();
    boolean transactional = isTransactional(properties);
    if (container.getCommonErrorHandler() == null && !transactional) {
      // The container would use the same handler by default.
      container.setCommonErrorHandler(new DefaultErrorHandler());
    }
    TurnListener<Object, Object> listener =
        new TurnListener<>(
            (MessageListener<Object, Object>) properties.getMessageListener(),
            calls,
            pauses,
            OfferHeaders.of(container, transactional));
    properties.setAdviceChain(); // the wrapped listener already has the advice
    container.setupMessageListener(listener);
    CommonErrorHandler handler = container.getCommonErrorHandler();
    if (handler != null) {
      container.setCommonErrorHandler(
          new TurnErrorHandler(handler, listener, pauses, transactional));
    }
    container.setAfterRollbackProcessor(
        TurnRollback.before(container.getAfterRollbackProcessor(), pauses));
  }

  @SuppressWarnings("removal") // applications may still set the deprecated transaction manager
  private static boolean isTransactional(ContainerProperties properties) {
    return properties.getKafkaAwareTransactionManager() != null
        || properties.getTransactionManager() != null;
  }

  @Override
  public synchronized void start() {
    check(made); // again: a customizer may have changed settings
    running = true;
    made.forEach(this::prepare);
    made.clear();
  }

  @Override
  public synchronized void stop() {
    running = false;
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  @Override
  public void close() {
    pauses.close();
  }

  /**
   * Phase in which Spring starts this bean before all listener containers, and stops it after them.
   */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }
}
