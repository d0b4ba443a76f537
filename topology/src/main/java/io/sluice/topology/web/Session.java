package io.sluice.topology.web;

import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;

/** The form by which a person lets a browser in. */
final class Session {
  private final Token token;
  private final boolean secure;

  Session(Token token, boolean secure) {
    this.token = token;
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
        <p><label>Token (sluice.http.token): <input type="password" name="token" autocomplete="current-password" required autofocus></label>
        <button>Open</button></p>
        <p role="status">NOTE</p>
        </form>
        </html>
        """
        .replace("NOTE", note);
  }

  /** Lets in whoever sends the token. */
  Answer answer(String form) {
    try {
      Map<String, String> fields = Paths.parameters(form);
      if (token.is(fields.getOrDefault("token", ""))) return entered();
    } catch (IllegalArgumentException e) {
      return Answer.html(400, form("This was no form."));
    }
    return Answer.html(401, form("This is not the token."));
  }

  private Answer entered() {
    return Answer.html(
        303,
        "",
        new HttpField(HttpHeader.LOCATION, "/"),
        new HttpField(HttpHeader.SET_COOKIE, token.cookie(secure)));
  }
}
