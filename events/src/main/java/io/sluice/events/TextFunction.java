package io.sluice.events;

import io.sluice.events.Selector.Stage;
import io.sluice.events.Selector.UnfitValueException;
import io.sluice.schemas.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Function of a selector that makes text of text. Numbers and booleans are taken as their text; of
 * a list, each element is changed.
 *
 * @param name name for messages
 * @param change returns the changed text; null if there is none
 * @param isForm returns whether a text may be a result of the function, so that it stays if a
 *     person types it as a key
 * @param longest largest length of a text, in characters
 */
record TextFunction(String name, UnaryOperator<String> change, Form isForm, int longest)
    implements Stage {
  /** Test whether a text is in the form that a function gives. */
  interface Form {
    boolean of(String text);
  }

  TextFunction(String name, UnaryOperator<String> change) {
    this(name, change, Integer.MAX_VALUE);
  }

  TextFunction(String name, UnaryOperator<String> change, int longest) {
    this(name, change, text -> false, longest);
  }

  TextFunction(String name, UnaryOperator<String> change, Form isForm) {
    this(name, change, isForm, Integer.MAX_VALUE);
  }

  @Override
  public Object apply(Object value) throws UnfitValueException {
    if (value instanceof String text) return changed(text);
    if (value instanceof List<?> list) return each(list);
    if (value instanceof Values.Structure structure) {
      throw new UnfitValueException(name + " needs text, not " + structure.kind());
    }
    if (value instanceof Values.Decimal number && !number.isPlain()) {
      // Other texts may be the same number.
      throw new UnfitValueException(name + " needs text, not a number with too many digits");
    }
    return changed(value.toString());
  }

  private String changed(String text) throws UnfitValueException {
    if (text.length() <= longest) return change.apply(text);
    throw new UnfitValueException("%s needs text of up to %,d characters".formatted(name, longest));
  }

  private List<Object> each(List<?> list) throws UnfitValueException {
    List<Object> changed = new ArrayList<>(list.size());
    for (Object element : list) {
      Object one = apply(element);
      if (one != null) changed.add(one);
    }
    return changed;
  }

  /** Returns the changed form of a key that a person typed. */
  Object ofTyped(Object typed) throws UnfitValueException {
    return isForm.of(typed.toString()) ? typed : apply(typed);
  }
}
