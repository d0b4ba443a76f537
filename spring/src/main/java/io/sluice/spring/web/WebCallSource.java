package io.sluice.spring.web;

/** Supplies the web request of a thread. */
@FunctionalInterface
public interface WebCallSource {
  /** Returns the web request that the current thread is serving, or {@link WebCall#NONE}. */
  WebCall current();
}
