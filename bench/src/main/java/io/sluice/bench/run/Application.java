package io.sluice.bench.run;

/**
 * Application to be measured: consumes an input topic and writes events to the topic of allowed
 * events.
 */
public interface Application {
  /** Starts the application; closing it commits its work first. */
  Running start(Workplace workplace);

  /** Running application. */
  interface Running extends AutoCloseable {
    boolean hasFailed();

    @Override
    void close();
  }
}
