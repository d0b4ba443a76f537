// Event counts of the last quarter of an hour by limit. The first update of the stream has all steps, later ones the
// last steps.

export const VERDICTS = ['allowed', 'rejected', 'delayed'];

export class Counts {
  constructor() {
    this.lines = new Map();
    this.steps = 0;
    this.fromMs = 0;
    this.stepMs = 1;
  }

  history(event) {
    this.stepMs = event.stepMs;
    this.fromMs = event.fromMs;
    this.steps = Math.max(1, ...event.lines.map((line) => line.allowed.length), 91);
    this.lines.clear();
    this.merge(event);
  }

  now(event) {
    const last = event.fromMs + 2 * event.stepMs;
    const shift = Math.round((last - this.fromMs) / this.stepMs) - this.steps + 1;
    if (shift > 0) {
      this.fromMs += shift * this.stepMs;
      for (const line of this.lines.values()) {
        for (const verdict of VERDICTS) line[verdict] = shifted(line[verdict], shift);
      }
    }
    this.merge(event);
  }

  merge(event) {
    const offset = Math.round((event.fromMs - this.fromMs) / this.stepMs);
    for (const told of event.lines) {
      const line = this.line(told);
      for (const verdict of VERDICTS) {
        told[verdict].forEach((number, i) => {
          if (offset + i >= 0 && offset + i < this.steps) line[verdict][offset + i] = number;
        });
      }
    }
  }

  line({ limit, shadow }) {
    const id = JSON.stringify([limit, shadow]);
    if (!this.lines.has(id)) {
      const line = { id, limit, shadow };
      for (const verdict of VERDICTS) line[verdict] = new Array(this.steps).fill(0);
      this.lines.set(id, line);
    }
    return this.lines.get(id);
  }

  times() {
    return Array.from({ length: this.steps }, (_, i) => (this.fromMs + i * this.stepMs) / 1000);
  }

  /** Returns the counts sorted by name of the limit; events that no limit decided come last. */
  sorted() {
    return [...this.lines.values()].sort(
      (a, b) => (a.limit === '') - (b.limit === '') || a.limit.localeCompare(b.limit) || a.shadow - b.shadow,
    );
  }
}

function shifted(numbers, by) {
  const kept = numbers.slice(by);
  while (kept.length < numbers.length) kept.push(0);
  return kept;
}

export const sum = (numbers, last) => numbers.slice(-last).reduce((a, b) => a + b, 0);
