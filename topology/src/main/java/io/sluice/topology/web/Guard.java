package io.sluice.topology.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.event.Keys;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * The decision who may ask. Metrics and health are for everybody who can reach the port; this is
 * about all else.
 */
final class Guard {
  /*
   * On the loopback address there is nobody but this machine, and its browser: a page from elsewhere
   * may have its own name resolve to 127.0.0.1, and then read what is served here as its own. Its
   * requests carry that name as Host, so only names of this machine are accepted. With a token there
   * is no such danger, since a browser keeps what proves it by name.
   *
   * What changes something must not be sent by a page from elsewhere either: a browser names the
   * page in Origin and the kind of site in Sec-Fetch-Site, a program sends neither.
   */
  private static final String BEARER = "Bearer ";

  private final HttpConfig config;
  private final boolean loopback;
  private final Optional<Token> token;
  private final Optional<Token> readToken;
  private final Set<String> names = new TreeSet<>();

  /**
   * @param bound the address that is served
   * @param port the port that is served
   */
  Guard(HttpConfig config, InetAddress bound, int port) {
    this.config = config;
    loopback = bound.isLoopbackAddress();
    token = Token.of(config.token());
    readToken = Token.of(config.readToken());
    for (String name : List.of("localhost", "127.0.0.1", "[::1]", literal(bound))) {
      names.add(name + ":" + port);
      if (port == (config.tls().isOn() ? 443 : 80)) names.add(name);
    }
    if (!config.advertised().isEmpty()) names.add(config.advertised().toLowerCase(Locale.ROOT));
  }

  /** An address as it is written in a URL. */
  static String literal(InetAddress address) {
    String host = address.getHostAddress();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** The tokens that let a client in; none where there is nothing to send. */
  List<Token> tokens() {
    return Stream.concat(token.stream(), readToken.stream()).toList();
  }

  /** Whether what a client has sent allows it more than to read. */
  boolean mayWrite(Request request) {
    return token.isEmpty() || knows(request, token.get());
  }

  /** Why this request is not answered, if it is not. */
  Optional<Answer> refusal(Request request, String path) {
    return unknown(request, path)
        .or(() -> isRead(request) ? Optional.empty() : write(request, path));
  }

  static boolean isRead(Request request) {
    return request.getMethod().matches("GET|HEAD");
  }

  private Optional<Answer> unknown(Request request, String path) {
    if (token.isPresent()) {
      return path.equals(Paths.SESSION) || tokens().stream().anyMatch(each -> knows(request, each))
          ? Optional.empty()
          : Optional.of(unauthorized(path));
    }
    if (!loopback) {
      return refused(
          path,
          403,
          "served beyond this machine only with a token: set " + Keys.HTTP_TOKEN + " and send it");
    }
    return isOwnName(host(request))
        ? Optional.empty()
        : refused(
            path,
            403,
            "the Host of a request must be one of "
                + String.join(", ", names)
                + "; "
                + Keys.HTTP_ADVERTISED
                + " can name another");
  }

  private static boolean knows(Request request, Token token) {
    String given = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    boolean bearer = given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return (bearer && token.is(given.substring(BEARER.length()).trim()))
        || Request.getCookies(request).stream()
            .anyMatch(
                each -> each.getName().equals(Token.COOKIE) && token.isCookie(each.getValue()));
  }

  private static Answer unauthorized(String path) {
    String wanted = "a token is wanted: Authorization: Bearer and " + Keys.HTTP_TOKEN;
    HttpField challenge = new HttpField(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    return path.equals("/")
        ? Answer.html(401, Session.form(""), challenge)
        : Answer.problem(path, 401, wanted, challenge);
  }

  private Optional<Answer> write(Request request, String path) {
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !isOwn(origin, request)) {
      return refused(path, 403, "the Origin of a request that writes must be this instance");
    }
    String site = request.getHeaders().get("Sec-Fetch-Site");
    if (site != null && !site.matches("same-origin|none")) {
      return refused(path, 403, "a page from elsewhere may not write");
    }
    if (path.equals(Paths.SESSION)) return Optional.empty();
    if (!Paths.isApi(path)) {
      return Optional.of(Answer.only(path, "GET"));
    }
    if (!mayWrite(request)) {
      return refused(
          path,
          403,
          "this token only reads ("
              + Keys.HTTP_TOKEN_READ
              + "): changes need the one of "
              + Keys.HTTP_TOKEN);
    }
    if (!config.writes()) {
      return refused(path, 403, "writing is disabled: set " + Keys.HTTP_WRITE + "=true");
    }
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    return type == null || type.toLowerCase(Locale.ROOT).startsWith("application/json")
        ? Optional.empty()
        : refused(path, 415, "the body must be application/json");
  }

  private boolean isOwn(String origin, Request request) {
    String authority = origin.toLowerCase(Locale.ROOT).replaceFirst("^https?://", "");
    return isOwnName(authority) || (token.isPresent() && authority.equals(host(request)));
  }

  private boolean isOwnName(String authority) {
    return names.contains(authority);
  }

  private static String host(Request request) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    return host == null ? "" : host.toLowerCase(Locale.ROOT);
  }

  private static Optional<Answer> refused(String path, int status, String line) {
    return Optional.of(Answer.problem(path, status, line));
  }

  /** As the bytes of texts are compared here. */
  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
