// Small chart of the event counts of each limit, with a table of its numbers for screen readers.
import { byId, count, el } from './dom.js';
import { VERDICTS, sum } from './counts.js';
import { Strip } from './strip.js';
import { nameOf } from './trial.js';

/**
 * Verdicts of a trial (changed copy of a limit in shadow mode) that are drawn over the verdicts of its original limit.
 */
const WOULD = ['rejected', 'delayed'];
const WOULD_DASHES = { rejected: [], delayed: [2, 3] };
const DASHES = { allowed: [], rejected: [6, 3], delayed: [2, 3] };
const HEIGHT = 150;
const STEPS_OF_A_MINUTE = 6;
const charts = new Map();

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString('sv').slice(0, 5);

const colour = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

/**
 * Draws the charts of all limits.
 *
 * @param trials by the name of the original limit
 * @param limits all limits in force
 */
export function draw(counts, trials, limits, writes) {
  const place = byId('charts');
  // A limit with a trial (a changed copy in shadow mode) has a chart, even before its first event.
  for (const { original } of trials.values()) counts.line({ limit: original.limit, shadow: original.mode === 'shadow' });
  const lines = counts.sorted().filter((line) => !isOfTrial(line, trials, limits));
  if (lines.length > 0 && charts.size === 0) place.replaceChildren();
  for (const [id, chart] of charts) {
    if (!lines.some((line) => line.id === id)) {
      chart.remove();
      charts.delete(id);
    }
  }
  lines.forEach((line, i) => {
    if (!charts.has(line.id)) {
      const chart = new Chart(line);
      charts.set(line.id, chart);
      place.insertBefore(chart.card, place.children[i] || null);
      chart.begin();
    }
    const found = trials.get(line.limit);
    const isOfIt = found && line.shadow === (found.original.mode === 'shadow');
    const trial = isOfIt && { ...found, line: counts.line({ limit: found.trial.limit, shadow: true }) };
    charts.get(line.id).show(line, counts, trial, writes);
  });
}

/**
 * Whether the counts belong to a trial (changed copy of a limit in shadow mode), also to an ended one. A trial is drawn
 * in the chart of its original limit.
 */
function isOfTrial({ limit, shadow }, trials, limits) {
  if (!shadow) return false;
  const isGone = !limits.some((each) => each.limit === limit);
  return [...trials.values()].some(({ trial }) => trial.limit === limit) || (isGone && limits.some((each) => nameOf(each.limit) === limit));
}

class Chart {
  constructor({ limit, shadow }) {
    this.name = (limit || 'no limit') + (shadow ? ' (shadow)' : '');
    this.summary = el('p', { class: 'note' });
    this.chart = el('div', { class: 'chart', role: 'img' });
    this.heads = el('tr');
    this.rows = el('tbody');
    this.strip = new Strip();
    this.details = el(
      'details',
      { ontoggle: () => this.list() },
      el('summary', {}, 'Numbers'),
      el('table', {}, el('thead', {}, this.heads), this.rows),
    );
    this.card = el('article', { class: 'card', 'data-limit': limit }, el('h3', {}, this.name), this.summary, this.chart, this.strip.element, this.details);
    this.resized = new ResizeObserver(() => this.plot && this.plot.setSize({ width: this.chart.clientWidth, height: HEIGHT }));
    this.resized.observe(this.chart);
  }

  begin() {
    const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
    this.plot = new uPlot(
      {
        width: this.chart.clientWidth || 300,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_, low, high) => [0, Math.max(1, high)] } },
        axes: [{ ...axis, space: 60, size: 26, values: (_, at) => at.map(clock) }, { ...axis, size: 44, space: 30 }],
        series: [
          {},
          ...VERDICTS.map((verdict) => ({ stroke: colour(verdict), width: 2, dash: DASHES[verdict], points: { show: false } })),
          ...WOULD.map((verdict) => ({ stroke: colour('would'), width: 3, dash: WOULD_DASHES[verdict], points: { show: false } })),
        ],
      },
      [[], [], [], [], [], []],
      this.chart,
    );
  }

  show(line, counts, trial, writes) {
    this.line = line;
    this.counts = counts;
    this.trial = trial;
    const seconds = counts.stepMs / 1000;
    // The current step is not drawn, since its incomplete count would look like a drop.
    const drawn = counts.steps - 1;
    const rates = (numbers) => numbers.slice(0, drawn).map((number) => number / seconds);
    this.plot.setData([
      counts.times().slice(0, drawn),
      ...VERDICTS.map((verdict) => rates(line[verdict])),
      ...WOULD.map((verdict) => (trial && (verdict === 'rejected' || sum(trial.line[verdict], drawn) > 0) ? this.since(rates(trial.line[verdict])) : [])),
    ]);
    const minute = VERDICTS.map((verdict) => [sum(line[verdict], STEPS_OF_A_MINUTE), verdict]).filter(([number]) => number > 0);
    this.summary.textContent = `Last minute: ${minute.map(([number, verdict]) => `${count(number)} ${verdict}`).join(', ') || 'no events'}`;
    const all = VERDICTS.map((verdict) => `${count(sum(line[verdict], counts.steps))} ${verdict}`).join(', ');
    const would = trial ? `; ${count(sum(trial.line.rejected, counts.steps))} would be rejected` : '';
    this.chart.setAttribute('aria-label', `${this.name}, the last 15 minutes: ${all}${would}`);
    this.strip.element.hidden = !trial;
    if (trial) this.showTrial(trial, writes);
    if (this.details.open) this.list();
  }

  showTrial(trial, writes) {
    const { counts, line } = this;
    // The step in which the trial began also has events from before the trial, so it is not counted.
    const first = this.begun() + (trial.sinceMs > counts.fromMs ? 1 : 0);
    const since = (numbers) => numbers.slice(first).reduce((a, b) => a + b, 0);
    this.strip.show(trial, writes, {
      fromMs: counts.fromMs + first * counts.stepMs,
      all: first === 0,
      would: since(trial.line.rejected),
      delayed: since(trial.line.delayed),
      did: since(line.rejected),
    });
  }

  /** Index, within the chart, of the step in which the trial began. */
  begun() {
    const { counts, trial } = this;
    return Math.min(counts.steps - 1, Math.max(0, Math.floor((trial.sinceMs - counts.fromMs) / counts.stepMs)));
  }

  /** Replaces the numbers of the time steps before the trial by null, which is not drawn. */
  since(numbers) {
    return numbers.map((number, i) => (i < this.begun() ? null : number));
  }

  /** Fills the table with the numbers of each minute, latest first. */
  list() {
    const columns = [...VERDICTS.map((verdict) => this.line[verdict]), ...(this.trial ? [this.trial.line.rejected] : [])];
    const heads = ['from', ...VERDICTS, ...(this.trial ? ['would be rejected'] : [])];
    this.heads.replaceChildren(...heads.map((text, i) => el('th', { scope: 'col', class: i > 0 ? 'number' : false }, text)));
    const rows = [];
    for (let end = this.counts.steps; end > 0; end -= STEPS_OF_A_MINUTE) {
      const begin = Math.max(0, end - STEPS_OF_A_MINUTE);
      const from = new Date(this.counts.fromMs + begin * this.counts.stepMs).toLocaleTimeString('sv');
      const numbers = columns.map((column) => count(column.slice(begin, end).reduce((a, b) => a + b, 0)));
      rows.push(el('tr', {}, el('th', { scope: 'row' }, from), ...numbers.map((text) => el('td', { class: 'number' }, text))));
    }
    this.rows.replaceChildren(...rows);
  }

  redraw() {
    this.plot.redraw(false, true);
  }

  remove() {
    this.resized.disconnect();
    this.plot.destroy();
    this.card.remove();
  }
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const chart of charts.values()) chart.redraw();
});
