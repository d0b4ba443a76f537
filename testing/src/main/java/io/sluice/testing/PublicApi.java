package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Public types and members that programs compile against, a line each, compared with the list in
 * the module. A developer who changes one must change the other, and so notices a break.
 */
public final class PublicApi {
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  private PublicApi() {}

  /** Returns all public types in packages with a prefix. */
  public static List<Class<?>> openTypes(String packages) {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(packages)
            .stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
            .<Class<?>>map(JavaClass::reflect)
            .toList();
  }

  /** Compares these types, and public ones nested in them, with the list of the module. */
  public static void assertIsListed(Path module, Collection<Class<?>> types) throws IOException {
    Set<String> now = new TreeSet<>();
    types.forEach(type -> add(type, now));
    Files.createDirectories(module.resolve("target"));
    Path actual = Files.write(module.resolve("target/api.txt"), now);
    Path list = module.resolve("api.txt");
    Set<String> listed = new TreeSet<>(Files.exists(list) ? Files.readAllLines(list) : List.of());
    assertThat(now)
        .as(
            "%s lists what programs compile against. What is gone from it breaks them: keep it, or"
                + " say so in CHANGELOG.md. Then copy %s over it",
            list, actual)
        .containsExactlyElementsOf(listed);
  }

  private static void add(Class<?> type, Set<String> lines) {
    if (!isOpen(type.getModifiers())) return;
    lines.add(brief(header(type)));
    for (Member each : (Iterable<Member>) members(type)::iterator) {
      String member = line(each).replace(type.getName() + ".", "");
      lines.add(brief(type.getName() + ": " + member));
    }
    for (Class<?> inner : type.getDeclaredClasses()) add(inner, lines);
  }

  private static boolean isOpen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String header(Class<?> type) {
    Stream<String> above =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Arrays.stream(type.getGenericInterfaces()))
            .map(Type::getTypeName)
            .filter(name -> !name.equals("java.lang.Object"));
    List<String> all = above.toList();
    String suffix = all.isEmpty() ? "" : " of " + String.join(", ", all);
    return type.getName() + " is " + type.toGenericString() + suffix;
  }

  /** Members that a type declares, or inherits from a type that is not public. */
  private static Stream<Member> members(Class<?> type) {
    Stream<Member> own =
        Stream.of(
                type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
            .flatMap(Arrays::stream);
    Stream<Member> hidden =
        Stream.of(type.getFields(), type.getMethods())
            .flatMap(Arrays::stream)
            .map(Member.class::cast)
            .filter(each -> !isOpen(each.getDeclaringClass().getModifiers()));
    return Stream.concat(own, hidden)
        .filter(each -> isOpen(each.getModifiers()) && !each.isSynthetic())
        .filter(
            each ->
                Modifier.isPublic(each.getModifiers()) || !Modifier.isFinal(type.getModifiers()))
        .filter(each -> !OF_EVERY_OBJECT.contains(each.getName()))
        .distinct();
  }

  private static String line(Member member) {
    if (member instanceof Field field) return field.toGenericString() + constant(field);
    if (member instanceof Constructor<?> constructor) return constructor.toGenericString();
    Method method = (Method) member;
    return method.toGenericString()
        + (method.getDefaultValue() == null ? "" : " default " + value(method.getDefaultValue()));
  }

  /** Value of a constant, which compilers copy into programs. */
  private static String constant(Field field) {
    boolean isInlined = field.getType() == String.class || field.getType().isPrimitive();
    if (!Modifier.isStatic(field.getModifiers()) || !isInlined) return "";
    try {
      return " = " + value(field.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field.toString(), e);
    }
  }

  private static String value(Object any) {
    if (any instanceof Object[] many) return Arrays.toString(many);
    return any instanceof String ? "\"" + any + "\"" : any.toString();
  }

  private static String brief(String line) {
    return line.replaceAll("java\\.(lang|util|util\\.function|time)\\.(?=[A-Z])", "");
  }
}
