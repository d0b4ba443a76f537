package io.sluice.spring;

import java.lang.reflect.Method;
import java.util.Optional;

/**
 * The caller of a limited method, as far as the web request tells; outside of one it tells none.
 */
public interface Caller {
  /** The method that is called. */
  Method method();

  /** The name of who has logged in. */
  Optional<String> principal();

  /** The address that the request came from: a proxy's, unless forwarded headers are trusted. */
  Optional<String> remoteAddress();

  /** A header of the request. Anybody can send any. */
  Optional<String> header(String name);
}
