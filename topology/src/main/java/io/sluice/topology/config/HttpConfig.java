package io.sluice.topology.config;

import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.ConfigErrors;
import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.rules.settings.SettingType;
import io.sluice.rules.settings.VariableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Settings of the HTTP server.
 *
 * @param served whether the server runs; otherwise the server's settings have no effect
 * @param port 0 for any free port
 * @param advertised host and port by which other instances and browsers reach this instance; empty
 *     if not given
 * @param token token that clients must send; empty if none is required
 * @param readToken token that only permits reading; empty if there is none
 * @param writes whether limits may be changed over HTTP
 */
public record HttpConfig(
    boolean served,
    String host,
    int port,
    String advertised,
    String token,
    String readToken,
    boolean writes,
    Tls tls) {
  private static final String HOST_AND_PORT =
      "a host and a port, such as sluice-1.example.org:9464";

  private static final String HOST = "([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])";

  private static final Setting<Integer> PORT =
      Setting.optional(
          Keys.HTTP_PORT,
          SettingType.number(ConfigDef.Type.INT, 0, 65_535),
          "The port for /metrics, /health/live, /health/ready, and /api. 0 takes any free port, and the log says which. Without a port, nothing is served.");

  private static final Setting<String> ADDRESS =
      Setting.of(
          Keys.HTTP_HOST,
          "127.0.0.1",
          SettingType.text("a host name or an address", "[A-Za-z0-9._:%-]+"),
          "The address for sluice.http.port. By default only this machine can reach it; 0.0.0.0 stands for all addresses.");

  private static final Setting<String> ADVERTISED =
      Setting.optional(
          Keys.HTTP_ADVERTISED,
          SettingType.text(HOST_AND_PORT, HttpConfig::isHostAndPort),
          "The host and port by which the other instances and browsers reach this one. An instance asks the owner of a key there. An IPv6 address must be in brackets, an IPv4 address may be.");

  private static final Setting<String> TOKEN =
      Setting.optional(
          Keys.HTTP_TOKEN,
          new SettingType<>(
              ConfigDef.Type.PASSWORD,
              "16 to 512 letters, digits and signs without spaces",
              HttpConfig::token),
          "The token that clients send to /api as Authorization: Bearer, the same for all instances. Required if sluice.http.host is not this machine alone: otherwise only /metrics and /health are served there.");

  private static final Setting<String> TOKEN_READ =
      Setting.optional(
          Keys.HTTP_TOKEN_READ,
          new SettingType<>(
              ConfigDef.Type.PASSWORD,
              "16 to 512 letters, digits and signs without spaces",
              HttpConfig::token),
          "A second token, only for reading: requests with it that change limits are refused with 403. It requires sluice.http.token, and must differ from it.");

  private static final Setting<Boolean> WRITE =
      Setting.of(
          Keys.HTTP_WRITE,
          "false",
          SettingType.BOOLEAN,
          "Whether limits can be changed over HTTP.");

  private static final Setting<String> TLS_KEYSTORE =
      Setting.optional(
          Keys.HTTP_TLS_KEYSTORE,
          SettingType.text("a file", file -> !file.isEmpty()),
          "The key store with the certificate and the key for https. Without it, http is served. This instance trusts the certificates in it when it asks others.");

  private static final Setting<String> TLS_PASSWORD =
      Setting.optional(
          Keys.HTTP_TLS_PASSWORD,
          new SettingType<>(ConfigDef.Type.PASSWORD, "a password", text -> text),
          "The password of sluice.http.tls.keystore.");

  private static final Setting<String> TLS_TYPE =
      Setting.of(
          Keys.HTTP_TLS_TYPE,
          "PKCS12",
          SettingType.text("PKCS12 or JKS", "PKCS12|JKS"),
          "The type of sluice.http.tls.keystore.");

  /** Key store for https. If the path of the key store is empty, the server uses http. */
  public record Tls(String keystore, String password, String type) {
    public boolean isOn() {
      return !keystore.isEmpty();
    }

    @Override
    public String toString() {
      return keystore;
    }
  }

  static void addTo(ConfigDef definition) {
    definition
        .define(PORT)
        .define(ADDRESS)
        .define(ADVERTISED)
        .define(TOKEN)
        .define(TOKEN_READ)
        .define(WRITE)
        .define(TLS_KEYSTORE)
        .define(TLS_PASSWORD)
        .define(TLS_TYPE);
  }

  /**
   * Returns the settings of a client program: only the tokens, from their environment variables.
   *
   * @throws ConfigurationException if a token is invalid; the message does not contain the token
   */
  public static HttpConfig ofEnvironment(Map<String, String> environment) {
    Map<String, String> texts = new HashMap<>();
    Map<String, String> variables = new HashMap<>();
    for (String key : List.of(Keys.HTTP_TOKEN, Keys.HTTP_TOKEN_READ)) {
      String variable = VariableName.of(key);
      variables.put(key, variable);
      if (environment.containsKey(variable)) texts.put(key, environment.get(variable));
    }
    ConfigErrors mistakes = new ConfigErrors(texts.keySet(), variables);
    HttpConfig config = of(new RawSettings(texts, mistakes));
    mistakes.throwIfAny();
    return config;
  }

  static HttpConfig of(RawSettings settings) {
    Optional<Integer> port = settings.find(PORT);
    return new HttpConfig(
        port.isPresent(),
        settings.read(ADDRESS),
        port.orElse(0),
        settings.find(ADVERTISED).map(HttpConfig::unbracketed).orElse(""),
        settings.find(TOKEN).orElse(""),
        readToken(settings, port.isPresent()),
        settings.read(WRITE),
        tls(settings));
  }

  private static String readToken(RawSettings settings, boolean served) {
    String read = settings.find(TOKEN_READ).orElse("");
    if (read.isEmpty()) return read;
    if (served && !settings.has(TOKEN)) {
      settings.missing(TOKEN, "the token that may write, beside " + Keys.HTTP_TOKEN_READ);
    } else if (settings.find(TOKEN).filter(read::equals).isPresent()) {
      settings.mistake(TOKEN_READ, "must not be the same as " + Keys.HTTP_TOKEN);
    }
    return read;
  }

  /**
   * Returns the token that a client sends: the token for reading and writing if there is one, else
   * the token for reading; empty if the client has neither.
   */
  public String sentToken() {
    return token.isEmpty() ? readToken : token;
  }

  private static Tls tls(RawSettings settings) {
    String keystore = settings.find(TLS_KEYSTORE).orElse("");
    String password = settings.find(TLS_PASSWORD).orElse("");
    if (keystore.isEmpty() && settings.has(TLS_PASSWORD) && !settings.has(TLS_KEYSTORE)) {
      settings.missing(TLS_KEYSTORE, "the file that " + Keys.HTTP_TLS_PASSWORD + " opens");
    }
    if (!keystore.isEmpty() && !settings.has(TLS_PASSWORD)) {
      settings.missing(TLS_PASSWORD, "the password of " + Keys.HTTP_TLS_KEYSTORE);
    }
    return new Tls(keystore, password, settings.read(TLS_TYPE));
  }

  /** Removes brackets around the host, unless they enclose an IPv6 address. */
  private static String unbracketed(String hostAndPort) {
    return hostAndPort.replaceFirst("^\\[([^:]+)]", "$1");
  }

  private static boolean isHostAndPort(String text) {
    if (!text.matches(HOST + ":[0-9]{1,5}")) return false;
    int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
    return port >= 1 && port <= 65_535;
  }

  /**
   * Checks and returns a token: printable ASCII without spaces, which an HTTP header can carry, and
   * at least 16 characters, so that it is hard to guess.
   */
  private static String token(String text) {
    if (text.matches("[!-~]{16,512}")) return text;
    throw new IllegalArgumentException("16 to 512 letters, digits and signs without spaces");
  }

  /** Returns host, port and whether TLS is on, without secrets. */
  @Override
  public String toString() {
    return host + ":" + port + (tls.isOn() ? " with TLS" : "");
  }
}
