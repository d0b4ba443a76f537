package io.sluice.spring.web;

/** The way to the web request of a thread. */
@FunctionalInterface
public interface WebCallSource {
  /** The one that this thread is answering, or none. */
  WebCall current();
}
