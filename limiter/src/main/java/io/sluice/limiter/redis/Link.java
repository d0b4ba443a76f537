package io.sluice.limiter.redis;

/**
 * The tie of a call in a pipeline to the one ahead of it.
 *
 * @param key where Redis keeps the pipeline's last call; empty if the call is on its own
 * @param after the call that must have run, by its number, or empty
 * @param number of this call, if another is sent before it is answered, or empty
 */
record Link(String key, String after, String number) {
  /** Of a call that is on its own. */
  static final Link NONE = new Link("", "", "");

  /**
   * @param after 0 if the call may run whatever ran before
   * @param number 0 if no call relies on this one
   */
  static Link of(String key, int after, int number) {
    return after == 0 && number == 0 ? NONE : new Link(key, text(after), text(number));
  }

  private static String text(int number) {
    return number == 0 ? "" : Integer.toString(number);
  }
}
