package io.sluice.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Captures the log lines of a class, without stack traces, until it is closed. */
public final class LogLines extends AbstractAppender implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(String of) {
    super(of, null, null, true, Property.EMPTY_ARRAY);
    logger = (Logger) LogManager.getLogger(of);
  }

  public static LogLines of(Class<?> of) {
    return of(of.getName());
  }

  /** Captures the log of a class that is not accessible. */
  public static LogLines of(String name) {
    LogLines lines = new LogLines(name);
    lines.start();
    lines.logger.addAppender(lines);
    return lines;
  }

  @Override
  public void append(LogEvent event) {
    lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
  }

  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
  }
}
