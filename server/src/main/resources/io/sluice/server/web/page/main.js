// Main script of the page: listens to the event stream, and requests other data every few seconds.
import { ask, byId, count, el, offer, renew, repeat, seen, time, wait, whose } from './dom.js';
import { Counts } from './counts.js';
import { draw } from './charts.js';
import { trials } from './trial.js';
import * as top from './top.js';
import * as look from './look.js';
import * as rules from './rules.js';
import * as history from './history.js';

const SLOW_MS = 5000;
const OVERDUE_MS = 5000;
/** Lengths of a tile's text above which the tile is double width, and above which it is full width. */
const LONG = 24;
const TOO_LONG = 60;
/** Time in milliseconds until a published change is in force: two seconds, and a margin. */
const EFFECT_MS = 2500;
const counts = new Counts();
let instances;
let blind = '';
let lost = false;
let told;
let limits = [];
let writes = false;
let access = 'write';
let lastSeen = '';

function listen() {
  const stream = new EventSource('/api/stream');
  stream.onmessage = ({ data }) => {
    told = JSON.parse(data);
    lost = false;
    if (told.kind === 'history') counts.history(told);
    else counts.now(told);
    drawAll();
    show();
  };
  stream.onerror = () => {
    lost = true;
    health(troubles());
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, SLOW_MS);
  };
}

const drawAll = () => draw(counts, trials(limits), limits, writes);

function show() {
  const { delayed, queue, redis, ready, deadLetters } = told;
  const all = instances || [];
  const lag = all.some((each) => each.noBrokerSinceMs)
    ? 'unknown: no broker answers'
    : `${count(all.reduce((sum, each) => sum + (each.lag || 0), 0))} events`;
  health(troubles());
  tiles([
    ['This instance', ready.says, !ready.well],
    ['Redis', redis.used ? (redis.available ? 'available' : 'unavailable') : 'not used', redis.used && !redis.available],
    ...(redis.used ? [['Waiting for Redis', count(redis.waiting), redis.waiting > 0]] : []),
    ['Delayed events', count(delayed.waiting)],
    ...(queue.used ? [['In line', count(queue.waiting)]] : []),
    ...(queue.waiting > 0 ? [['Oldest in line', wait(queue.oldestMs)]] : []),
    ['Overdue by', delayed.overdueMs > 0 ? wait(delayed.overdueMs) : 'nothing', delayed.overdueMs > OVERDUE_MS],
    ['Dead letters', count(deadLetters)],
    ...(all.length > 0 ? [['Instances', count(all.length)], ['Lag', lag, lag.startsWith('unknown')]] : []),
  ]);
  const note = whose(told).join(' ');
  if (byId('charts-note').textContent !== note) byId('charts-note').textContent = note;
}

function troubles() {
  if (lost || !told) return ['the connection is lost; trying again'];
  const { delayed, redis, ready } = told;
  const all = instances || [];
  const found = blind ? [`the state of the instances is unknown (${seen(blind)})`] : [];
  if (!ready.well) found.push(`this instance is not ready (${ready.says})`);
  if (redis.used && !redis.available) found.push('Redis is unavailable');
  if (delayed.overdueMs > OVERDUE_MS) found.push(`delayed events are overdue by ${wait(delayed.overdueMs)}`);
  for (const each of all) {
    if (each.noBrokerSinceMs) found.push(`no broker has answered ${seen(each.instance || 'an instance')} since ${time(each.noBrokerSinceMs)}`);
    if (each.state && each.state !== 'RUNNING') found.push(`${seen(each.instance || 'an instance')} is ${each.state.toLowerCase()}`);
  }
  if (new Set(all.map((each) => each.limitsDigest).filter(Boolean)).size > 1) found.push('instances have different limits');
  return found;
}

/** Shows the overall health. The page does not show "Healthy" before the other instances were asked. */
function health(found) {
  const line = byId('health');
  const ill = found.length > 0;
  if (!ill && instances === undefined) return;
  const text = ill ? `Problem: ${found.join('; ')}` : 'Healthy';
  if (line.textContent !== text) line.textContent = text; // an equal text is not set: screen readers would repeat it
  line.className = ill ? 'ill' : 'well';
  document.title = ill ? 'Sluice: problem' : 'Sluice';
}

const width = ({ length }) => (length > TOO_LONG ? 'whole' : length > LONG ? 'long' : '');

function tiles(all) {
  byId('now').replaceChildren(
    ...all.map(([name, text, ill]) => el('div', { class: `${ill ? 'ill' : ''} ${width(text)}` }, el('dt', {}, name), el('dd', {}, text))),
  );
}

async function askInstances() {
  try {
    ({ instances } = await ask('/api/instances'));
    blind = '';
  } catch (error) {
    blind = error.message;
    return;
  } finally {
    if (told) show();
  }
  const heads = ['Instance', 'State', 'Partitions', 'Standbys', 'Lag', 'Version'];
  const rows = instances.map((each) => [
    seen(each.instance || 'this one'), each.state.toLowerCase(), (each.active || []).join(', '), (each.standby || []).join(', '),
    each.lag === undefined ? '' : count(each.lag), each.version || '',
  ]);
  renew(
    byId('instances'),
    el(
      'details',
      { 'data-id': 'all' },
      el('summary', { 'data-id': 'all' }, `Instances: ${instances.length}`),
      el(
        'div',
        { class: 'scroll', role: 'region', 'aria-label': 'Table of instances', tabindex: '0', 'data-id': 'table' },
        el(
          'table',
          {},
          el('thead', {}, el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text)))),
          el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((text) => el('td', {}, text))))),
        ),
      ),
    ),
  );
}

async function askLimits() {
  const answer = await ask('/api/limits');
  ({ limits, writes = false, access = 'write' } = answer);
  const names = limits.map((each) => each.limit);
  offer(byId('top-form').elements.limit, names);
  offer(byId('history-form').elements.limit, names);
  for (const each of [look, history]) each.know({ limits, writes });
  rules.show({ limits, writes, access });
  if (told) drawAll();
  const now = JSON.stringify(limits.map((each) => [each.limit, each.revisions, each.planned, each.plannedCount, each.overrides, each.pauses]));
  // lastSeen stays unchanged after a failure, so that the next call tries again.
  if (now !== lastSeen && (await history.refresh())) lastSeen = now;
}

/** Updates limits and history after a change is published, and again when the change has taken effect. */
document.addEventListener('published', () => {
  history.refresh();
  setTimeout(() => Promise.all([askLimits(), history.refresh()]).catch(() => {}), EFFECT_MS);
});

// Collapses the less important sections of the page on narrow screens.
if (matchMedia('(max-width: 40rem)').matches) {
  for (const each of document.querySelectorAll('details.part')) each.open = false;
}
top.begin();
look.begin();
history.begin();
listen();
repeat(SLOW_MS, askInstances);
repeat(SLOW_MS, askLimits);
