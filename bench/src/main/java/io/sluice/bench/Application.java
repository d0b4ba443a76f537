package io.sluice.bench;

/** Something that takes events from an input and lets some through to the allowed topic. */
interface Application {
  /** Starts it; closing ends it, with all that it has done committed. */
  Running start(Workplace workplace);

  /** It, running. */
  interface Running extends AutoCloseable {
    boolean hasFailed();

    @Override
    void close();
  }
}
