package io.sluice.bench.run;

/** Something that takes events from an input and lets some through to the allowed topic. */
public interface Application {
  /** Starts it; closing ends it, with all that it has done committed. */
  Running start(Workplace workplace);

  /** It, running. */
  interface Running extends AutoCloseable {
    boolean hasFailed();

    @Override
    void close();
  }
}
