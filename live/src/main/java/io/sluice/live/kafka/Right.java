package io.sluice.live.kafka;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** Right that Kafka must grant: an operation on a resource with a name, or with a name prefix. */
public record Right(
    AclOperation operation, ResourceType resource, String name, PatternType pattern) {

  public static Right of(AclOperation operation, ResourceType resource, String name) {
    return new Right(operation, resource, name, PatternType.LITERAL);
  }

  /**
   * Right on all resources of an application that its settings do not name, such as changelog
   * topics.
   */
  public static Right ofAll(AclOperation operation, ResourceType resource, String application) {
    return new Right(operation, resource, application + "-", PatternType.PREFIXED);
  }

  /** Arguments of {@code kafka-acls.sh} that grant this right. */
  public String arguments() {
    String of = resource.name().toLowerCase(Locale.ROOT).replace('_', '-');
    String named = resource == ResourceType.CLUSTER ? "" : " " + name;
    String prefixed = pattern == PatternType.PREFIXED ? " --resource-pattern-type prefixed" : "";
    return "--operation " + operationName() + " --" + of + named + prefixed;
  }

  private String operationName() {
    return Arrays.stream(operation.name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  @Override
  public String toString() {
    String of = resource.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    if (resource == ResourceType.CLUSTER) return operation + " on the cluster";
    return pattern == PatternType.PREFIXED
        ? operation + " every " + of + " that begins with " + name
        : operation + " " + of + " " + name;
  }
}
