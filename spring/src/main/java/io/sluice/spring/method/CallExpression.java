package io.sluice.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * SpEL expression in an annotation for the key or cost of a call; its variables are the arguments
 * of the call.
 */
final class CallExpression {
  /**
   * Discovers the names of a method's parameters; for a method of a JDK proxy class, takes them
   * from the interface method.
   */
  static final ParameterNameDiscoverer NAMES =
      new DefaultParameterNameDiscoverer() {
        @Override
        public String[] getParameterNames(Method method) {
          return super.getParameterNames(
              Proxy.isProxyClass(method.getDeclaringClass())
                  ? ClassUtils.getInterfaceMethodIfPossible(method, method.getDeclaringClass())
                  : method);
        }
      };

  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final Pattern BY_POSITION = Pattern.compile("[pa]([0-9]{1,3})");

  private final String text;
  private final SpelExpression parsed;

  private CallExpression(String text, SpelExpression parsed) {
    this.text = text;
    this.parsed = parsed;
  }

  /**
   * Parses an expression for calls of a method.
   *
   * @throws IllegalArgumentException if the text is not SpEL, or names an unknown parameter
   */
  static CallExpression of(String text, Method method) {
    try {
      SpelExpression parsed = PARSER.parseRaw(text);
      checkVariables(parsed.getAST(), method);
      return new CallExpression(text, parsed);
    } catch (ParseException e) {
      throw new IllegalArgumentException("not a SpEL expression: " + e.getSimpleMessage(), e);
    }
  }

  private static void checkVariables(SpelNode node, Method method) {
    if (node instanceof VariableReference) checkVariable(node.toStringAST().substring(1), method);
    for (int i = 0; i < node.getChildCount(); i++) checkVariables(node.getChild(i), method);
  }

  private static void checkVariable(String name, Method method) {
    Set<String> known = new LinkedHashSet<>();
    String[] parameters = NAMES.getParameterNames(method);
    // The last parameter of a Kotlin suspend function is its continuation, which is no variable.
    int count = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
    for (int i = 0; i < count; i++) {
      known.add(parameters == null ? "#p" + i : "#" + parameters[i]);
    }
    Matcher byPosition = BY_POSITION.matcher(name);
    boolean counted = byPosition.matches() && Integer.parseInt(byPosition.group(1)) < count;
    if (counted || known.contains("#" + name) || name.equals("root") || name.equals("this")) return;
    String remedy = parameters == null ? "; for names, compile with the option -parameters" : "";
    throw new IllegalArgumentException(
        "no parameter #"
            + name
            + "; there are "
            + (known.isEmpty() ? "none" : String.join(", ", known))
            + remedy);
  }

  /**
   * Returns the expression's value for a call; may be null.
   *
   * @throws IllegalStateException if the evaluation fails
   */
  Object valueOf(CallContext call) {
    try {
      return parsed.getValue(call.variables());
    } catch (EvaluationException e) {
      throw call.refused(text + " has no value: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
