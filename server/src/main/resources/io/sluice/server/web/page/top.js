// Table of the keys with most events, over all limits and instances.
import { ask, byId, count, el, renew, repeat, seen, wait, whose } from './dom.js';
import { lookUp } from './look.js';

const MOST = 50;
const EVERY_MS = 2000;

export function begin() {
  byId('top-form').addEventListener('change', () => refresh().catch(() => {}));
  byId('top-form').addEventListener('submit', (event) => event.preventDefault());
  repeat(EVERY_MS, refresh);
}

async function refresh() {
  const { limit, by } = byId('top-form').elements;
  const query = new URLSearchParams({ by: by.value });
  if (limit.value) query.set('limit', limit.value);
  try {
    show(await ask(`/api/top?${query}`));
  } catch (error) {
    byId('top-note').textContent = `The keys cannot be loaded: ${error.message}`;
  }
}

function show(report) {
  const keys = report.limits
    .flatMap((each) => each.keys.map((key) => ({ ...key, limit: each.limit, shadow: each.shadow })))
    .sort((a, b) => b.atLeast - a.atLeast || b.atMost - a.atMost)
    .slice(0, MOST);
  renew(byId('top-table').tBodies[0], ...keys.map(row));
  byId('top-note').textContent = note(report, keys.length);
}

function row(key) {
  const named = key.key === '' ? '(all events together)' : seen(key.key);
  const name = key.fields && Object.keys(key.fields).length > 0
    ? el('button', { type: 'button', 'data-id': JSON.stringify([key.limit, key.key]), onclick: () => lookUp(key.fields, [key.limit]) }, named)
    : named;
  const events = key.atLeast === key.atMost ? count(key.atMost) : `${count(key.atLeast)} to ${count(key.atMost)}`;
  const limit = key.limit + (key.shadow ? ' (shadow)' : '');
  return el('tr', {}, el('td', {}, name), el('td', {}, limit), el('td', { class: 'number' }, events));
}

function note(report, shown) {
  const windowMs = Math.max(0, ...report.limits.map((each) => each.windowMs));
  const others = Math.max(0, ...report.limits.map((each) => each.othersAtMost));
  const texts = [shown === 0 ? 'No keys in the last minutes.' : `In the last ${wait(windowMs)}.`];
  if (others > 0) texts.push(`A key that is not listed had at most ${count(others)} events.`);
  texts.push(...whose(report));
  const unwatched = report.limits.filter((each) => !each.watched).map((each) => each.limit);
  if (unwatched.length > 0) texts.push(`There are too many limits: the keys of ${unwatched.join(', ')} are not counted.`);
  return texts.join(' ');
}
