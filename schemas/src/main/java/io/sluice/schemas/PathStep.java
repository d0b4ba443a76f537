package io.sluice.schemas;

/**
 * Step of a path through a record: to a field or map entry with a name, or to elements of a list.
 *
 * @param name name of the field or map entry; empty if the step leads into a list
 * @param index index of a list's element, from 0; {@link #EACH} for all elements, {@link #NONE} if
 *     the step has a name
 */
public record PathStep(String name, int index) {
  static final int EACH = -1;
  static final int NONE = -2;

  /** Returns the step to the field or map entry with this name. */
  public static PathStep name(String name) {
    return new PathStep(name, NONE);
  }

  /**
   * Returns the step to the element of a list with this index.
   *
   * @param index 0 or higher
   */
  public static PathStep element(int index) {
    if (index < 0) throw new IllegalArgumentException("an index is at least 0: " + index);
    return new PathStep("", index);
  }

  /** Returns the step to each element of a list. */
  public static PathStep each() {
    return new PathStep("", EACH);
  }

  /** Returns whether the step leads to a field or map entry. */
  public boolean isName() {
    return index == NONE;
  }

  /** Returns whether the step leads to each element of a list. */
  public boolean isEach() {
    return index == EACH;
  }
}
