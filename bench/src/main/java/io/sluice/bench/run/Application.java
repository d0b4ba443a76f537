package io.sluice.bench.run;

/**
 * Application to be measured: it consumes an input topic, and writes events to the topic of allowed
 * events.
 */
public interface Application {
  /** Starts the application. Closing the running application commits its work first. */
  Running start(Workplace workplace) throws Exception;

  /** Handle of a running application, which stops the application when it is closed. */
  interface Running extends AutoCloseable {
    boolean hasFailed();

    @Override
    void close();
  }
}
