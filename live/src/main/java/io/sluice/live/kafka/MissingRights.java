package io.sluice.live.kafka;

import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * Missing Kafka rights and the remedy: the command that grants a single one, else the page that
 * lists all.
 */
public record MissingRights(List<Right> rights, Properties streams) {
  /** User name in a JAAS configuration, in quotes or without. */
  private static final Pattern USER = Pattern.compile("\\busername\\s*=\\s*[\"']?([^\"'\\s;$]+)");

  public MissingRights(Set<Right> rights, Properties streams) {
    this(rights.stream().sorted(Comparator.comparing(Right::toString)).toList(), streams);
  }

  /** All missing Kafka rights and the remedy, in one line. */
  public String line() {
    String what = rights.stream().map(Right::toString).collect(Collectors.joining(", "));
    String as = user().isEmpty() ? "" : " as " + user();
    return "not allowed to " + what + as + "; " + grant();
  }

  private String grant() {
    if (rights.size() > 1) {
      return "docs/running.md lists all the rights that Sluice needs, and the commands that grant"
          + " them";
    }
    return "grant it: kafka-acls.sh --bootstrap-server "
        + streams.getProperty("bootstrap.servers")
        + " --add --allow-principal "
        + (user().isEmpty() ? "User:..." : user())
        + " "
        + rights.get(0).arguments();
  }

  /** Kafka principal of this application; empty if the settings do not show it. */
  private String user() {
    Matcher user = USER.matcher(streams.getProperty(SaslConfigs.SASL_JAAS_CONFIG, ""));
    return user.find() ? "User:" + user.group(1) : "";
  }
}
