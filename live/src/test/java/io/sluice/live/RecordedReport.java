package io.sluice.live;

/** Report that keeps the last notes for assertions, and ignores the values of metrics. */
final class RecordedReport implements LimitsReport {
  private long newestMs;
  private String asOf = "";
  private String differ = "";

  String asOf() {
    return asOf;
  }

  String differ() {
    return differ;
  }

  @Override
  public void count(Outcome outcome) {}

  @Override
  public void newestRevision(long timestampMs) {
    newestMs = timestampMs;
  }

  long newestMs() {
    return newestMs;
  }

  @Override
  public void isCurrent(boolean now) {}

  @Override
  public void differingInstances(int now) {}

  @Override
  public void digest(String text) {}

  @Override
  public void limitsAsOf(String note) {
    asOf = note;
  }

  @Override
  public void limitsDiffer(String note) {
    differ = note;
  }
}
