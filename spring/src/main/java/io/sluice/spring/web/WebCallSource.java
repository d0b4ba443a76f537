package io.sluice.spring.web;

/** Supplies the web request of a thread. */
@FunctionalInterface
public interface WebCallSource {
  /** Returns the request that this thread is serving, or {@link WebCall#NONE}. */
  WebCall current();
}
