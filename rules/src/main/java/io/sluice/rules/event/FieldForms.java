package io.sluice.rules.event;

/**
 * Forms in which events have the values of their fields. A value that a person types, such as an
 * e-mail address with capital letters, is changed to the form of events, so that it is found.
 */
@FunctionalInterface
public interface FieldForms {
  /** Leaves all values as they are typed. */
  FieldForms AS_TYPED = (field, typed) -> typed;

  /** Returns the form in which events have this value of a field; not empty if the value is not. */
  String of(Field field, String typed);
}
