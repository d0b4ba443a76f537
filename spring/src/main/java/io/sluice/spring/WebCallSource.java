package io.sluice.spring;

/** The way to the web request of a thread. */
@FunctionalInterface
interface WebCallSource {
  /** The one that this thread is answering, or none. */
  WebCall current();
}
