// A small chart for each limit, and its numbers in a table for whoever does not see it.
import { byId, count, el } from './dom.js';
import { VERDICTS, sum } from './counts.js';

const DASHES = { allowed: [], rejected: [6, 3], delayed: [2, 3] };
const HEIGHT = 150;
const STEPS_OF_A_MINUTE = 6;
const charts = new Map();

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString('sv').slice(0, 5);

const colour = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

export function draw(counts) {
  const place = byId('charts');
  const lines = counts.sorted();
  if (lines.length > 0 && charts.size === 0) place.replaceChildren();
  for (const [id, chart] of charts) {
    if (!counts.lines.has(id)) {
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
    charts.get(line.id).show(line, counts);
  });
}

class Chart {
  constructor({ limit, shadow }) {
    this.name = (limit || 'no limit') + (shadow ? ' (only watches)' : '');
    this.summary = el('p', { class: 'note' });
    this.chart = el('div', { class: 'chart', role: 'img' });
    this.rows = el('tbody');
    this.details = el(
      'details',
      { ontoggle: () => this.list() },
      el('summary', {}, 'Numbers'),
      el('table', {}, el('thead', {}, el('tr', {}, ...['from', ...VERDICTS].map((text) => el('th', { scope: 'col' }, text)))), this.rows),
    );
    this.card = el('article', { class: 'card' }, el('h3', {}, this.name), this.summary, this.chart, this.details);
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
        ],
      },
      [[], [], [], []],
      this.chart,
    );
  }

  show(line, counts) {
    this.line = line;
    this.counts = counts;
    const seconds = counts.stepMs / 1000;
    // The step that goes on is not drawn: it would look as if all had stopped.
    const drawn = counts.steps - 1;
    this.plot.setData([
      counts.times().slice(0, drawn),
      ...VERDICTS.map((verdict) => line[verdict].slice(0, drawn).map((number) => number / seconds)),
    ]);
    const minute = VERDICTS.map((verdict) => `${count(sum(line[verdict], STEPS_OF_A_MINUTE))} ${verdict}`).join(', ');
    this.summary.textContent = `Last minute: ${minute}`;
    const all = VERDICTS.map((verdict) => `${count(sum(line[verdict], counts.steps))} ${verdict}`).join(', ');
    this.chart.setAttribute('aria-label', `${this.name}, the last 15 minutes: ${all}`);
    if (this.details.open) this.list();
  }

  /** A row for each minute, the last one first. */
  list() {
    const rows = [];
    for (let end = this.counts.steps; end > 0; end -= STEPS_OF_A_MINUTE) {
      const begin = Math.max(0, end - STEPS_OF_A_MINUTE);
      const from = new Date(this.counts.fromMs + begin * this.counts.stepMs).toLocaleTimeString('sv');
      const numbers = VERDICTS.map((verdict) => count(this.line[verdict].slice(begin, end).reduce((a, b) => a + b, 0)));
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
