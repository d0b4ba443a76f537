package io.sluice.spring.web;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import java.util.Optional;

/** The caller of a method within a web request, or outside of one. */
public record CallerOf(Method method, WebCall web) implements Caller {
  /** The key of callers by default, which keeps names and addresses apart. */
  public static String byDefault(Caller caller) {
    return caller
        .principal()
        .map(name -> "user:" + name)
        .or(() -> caller.remoteAddress().map(address -> "address:" + address))
        .orElse("");
  }

  @Override
  public Optional<String> principal() {
    return web.principal();
  }

  @Override
  public Optional<String> remoteAddress() {
    return web.remoteAddress();
  }

  @Override
  public Optional<String> header(String name) {
    return web.header(name);
  }
}
