package io.sluice.testing;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds cycles of classes that call each other, directly or indirectly. A class and its nested
 * classes count as one class.
 */
public final class Circles {
  private Circles() {}

  /**
   * Returns the class names of the largest cycle; empty if there is no cycle.
   *
   * @param counted selects the dependencies between classes that can form a cycle
   */
  public static Set<String> largest(JavaClasses classes, Predicate<Dependency> counted) {
    Map<String, Set<String>> calls =
        classes.stream()
            .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
            .filter(counted)
            .collect(
                groupingBy(
                    call -> file(call.getOriginClass()),
                    mapping(call -> file(call.getTargetClass()), toCollection(TreeSet::new))));
    return calls.keySet().stream()
        .map(one -> circle(one, calls))
        .max(Comparator.comparing(Set::size))
        .orElse(Set.of());
  }

  private static Set<String> circle(String one, Map<String, Set<String>> calls) {
    Set<String> circle = reachedFrom(one, calls);
    circle.removeIf(other -> !reachedFrom(other, calls).contains(one));
    return circle;
  }

  private static String file(JavaClass any) {
    return any.getBaseComponentType().getName().replaceFirst("\\$.*", "");
  }

  private static Set<String> reachedFrom(String one, Map<String, Set<String>> calls) {
    Set<String> reached = new TreeSet<>();
    List<String> next = List.of(one);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .flatMap(each -> calls.getOrDefault(each, Set.of()).stream())
              .filter(reached::add)
              .toList();
    }
    return reached;
  }
}
