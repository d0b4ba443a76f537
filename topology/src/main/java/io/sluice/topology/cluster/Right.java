package io.sluice.topology.cluster;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** Something that Kafka must allow: an operation on what has, or begins with, a name. */
record Right(AclOperation operation, ResourceType resource, String name, PatternType pattern) {

  static Right of(AclOperation operation, ResourceType resource, String name) {
    return new Right(operation, resource, name, PatternType.LITERAL);
  }

  /** A right on everything that belongs to an application and is not named by its settings. */
  static Right ofAll(AclOperation operation, ResourceType resource, String application) {
    return new Right(operation, resource, application + "-", PatternType.PREFIXED);
  }

  /** What grants it, as {@code kafka-acls.sh} takes it. */
  String arguments() {
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
