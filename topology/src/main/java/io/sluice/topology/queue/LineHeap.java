package io.sluice.topology.queue;

/** Heap of lines, ordered by the first event of each. */
final class LineHeap extends IndexedHeap<Line> {
  private final Purpose purpose;

  /** Purpose of a heap. A line can be in one heap of each purpose at a time. */
  enum Purpose {
    /** Lines that wait for their turn to be asked; by the time that their first event has. */
    TURN,
    /** Lines of the same limits and class; by the number of their first event. */
    AGE
  }

  LineHeap(Purpose purpose) {
    this.purpose = purpose;
  }

  @Override
  boolean isBefore(Line one, Line other) {
    return purpose == Purpose.TURN ? one.isOlder(other) : one.head() < other.head();
  }

  @Override
  void setPosition(Line line, int position) {
    if (purpose == Purpose.TURN) line.turnPlace = position;
    else line.agePlace = position;
  }

  @Override
  int position(Line line) {
    return purpose == Purpose.TURN ? line.turnPlace : line.agePlace;
  }
}
