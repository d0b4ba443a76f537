package io.sluice.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.Optional;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Web request to a servlet, during which a limited method is called. */
public final class MvcCall implements WebCall {
  private static final String FIELDS = RateLimitFields.class.getName();

  private final HttpServletRequest request;
  private final HttpServletResponse response;

  private MvcCall(HttpServletRequest request, HttpServletResponse response) {
    this.request = request;
    this.response = response;
  }

  /** Returns the web request that the current thread is serving; {@link #NONE} if there is none. */
  public static WebCall current() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes held
            && held.getResponse() != null
        ? new MvcCall(held.getRequest(), held.getResponse())
        : NONE;
  }

  @Override
  public Optional<String> principal() {
    return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
  }

  @Override
  public Optional<String> remoteAddress() {
    return Optional.ofNullable(request.getRemoteAddr());
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(request.getHeader(name));
  }

  @Override
  public RateLimitFields fields() {
    if (request.getAttribute(FIELDS) instanceof RateLimitFields kept) return kept;
    RateLimitFields fields = new RateLimitFields();
    request.setAttribute(FIELDS, fields);
    return fields;
  }

  @Override
  public void answer(String header, String text) {
    if (!response.isCommitted()) response.setHeader(header, text);
  }
}
