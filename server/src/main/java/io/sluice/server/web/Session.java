package io.sluice.server.web;

import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;

/** Login form of the web page, which exchanges a token for a cookie. */
final class Session {
  private final List<Token> tokens;
  private final boolean secure;

  Session(List<Token> tokens, boolean secure) {
    this.tokens = tokens;
    this.secure = secure;
  }

  static String form(String note) {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Sluice</title>
        <form method="post" action="/session">
        <p><label>Token (sluice.http.token, or sluice.http.token.read for read-only access): <input type="password" name="token" autocomplete="current-password" required autofocus></label>
        <button>Open</button></p>
        <p role="status">NOTE</p>
        </form>
        </html>
        """
        .replace("NOTE", note);
  }

  /** Answers a submitted login form: with the cookie if the form contains one of the tokens. */
  Answer answer(String form) {
    try {
      Map<String, String> fields = Paths.parameters(form);
      String given = fields.getOrDefault("token", "");
      for (Token each : tokens) if (each.is(given)) return entered(each);
    } catch (IllegalArgumentException e) {
      return Answer.html(400, form("The form could not be read. Enter the token again."));
    }
    return Answer.html(401, form("Wrong token."));
  }

  private Answer entered(Token token) {
    return Answer.html(
        303,
        "",
        new HttpField(HttpHeader.LOCATION, "/"),
        new HttpField(HttpHeader.SET_COOKIE, token.cookie(secure)));
  }
}
