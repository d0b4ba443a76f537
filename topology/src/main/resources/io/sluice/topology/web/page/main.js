// The page: it listens to the stream, and asks for the rest now and then.
import { ask, byId, count, el, renew, repeat, seen, wait } from './dom.js';
import { Counts } from './counts.js';
import { draw } from './charts.js';
import * as top from './top.js';
import * as look from './look.js';

const SLOW_MS = 5000;
const OVERDUE_MS = 5000;
const counts = new Counts();
let instances = [];
let told;

function listen() {
  const stream = new EventSource('/api/stream');
  stream.onmessage = ({ data }) => {
    told = JSON.parse(data);
    if (told.kind === 'history') counts.history(told);
    else counts.now(told);
    draw(counts);
    show();
  };
  stream.onerror = () => {
    health(['the connection is lost; trying again']);
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, SLOW_MS);
  };
}

function show() {
  const { delayed, redis, ready, deadLetters } = told;
  const troubles = [];
  if (!ready.well) troubles.push(`this instance is not ready (${ready.says})`);
  if (redis.used && !redis.available) troubles.push('Redis is unavailable');
  if (delayed.overdueMs > OVERDUE_MS) troubles.push(`delayed events are overdue by ${wait(delayed.overdueMs)}`);
  for (const each of instances) {
    if (each.state && each.state !== 'RUNNING') troubles.push(`${seen(each.instance || 'an instance')} is ${each.state.toLowerCase()}`);
  }
  if (new Set(instances.map((each) => each.limitsDigest).filter(Boolean)).size > 1) troubles.push('instances have different limits');
  health(troubles);
  const lag = instances.reduce((sum, each) => sum + (each.lag || 0), 0);
  tiles([
    ['This instance', ready.says, !ready.well],
    ['Redis', redis.used ? (redis.available ? 'available' : 'unavailable') : 'not used', redis.used && !redis.available],
    ...(redis.used ? [['Waiting for Redis', count(redis.waiting), redis.waiting > 0]] : []),
    ['Delayed events', count(delayed.waiting)],
    ['Overdue by', delayed.overdueMs > 0 ? wait(delayed.overdueMs) : 'nothing', delayed.overdueMs > OVERDUE_MS],
    ['Dead letters', count(deadLetters)],
    ...(instances.length > 0 ? [['Instances', count(instances.length)], ['Lag', `${count(lag)} events`]] : []),
  ]);
}

function health(troubles) {
  const line = byId('health');
  const text = troubles.length === 0 ? 'All is well' : `Trouble: ${troubles.join('; ')}`;
  if (line.textContent !== text) line.textContent = text; // or a screen reader says it each second
  line.className = troubles.length === 0 ? 'well' : 'ill';
  document.title = troubles.length === 0 ? 'Sluice' : 'Sluice: trouble';
}

function tiles(all) {
  byId('now').replaceChildren(
    ...all.map(([name, text, ill]) => el('div', ill ? { class: 'ill' } : {}, el('dt', {}, name), el('dd', {}, text))),
  );
}

async function askInstances() {
  const answer = await ask('/api/instances');
  instances = answer.instances || [];
  const all = instances.map((each) => el('div', { class: 'card' }, look.list(each)));
  renew(
    byId('instances'),
    el('details', { 'data-id': 'all' }, el('summary', { 'data-id': 'all' }, `Instances: ${instances.length}`), el('div', { class: 'cards' }, ...all)),
  );
}

async function askLimits() {
  const { limits = [] } = await ask('/api/limits');
  top.offer(limits.map((each) => each.limit));
  look.know(limits);
  renew(
    byId('rules'),
    ...limits.map((each) =>
      el('details', { 'data-id': each.limit }, el('summary', { 'data-id': each.limit }, `${each.limit}: ${(each.words || []).join(', ')}`), look.list(each)),
    ),
  );
}

top.begin();
look.begin();
listen();
repeat(SLOW_MS, askInstances);
repeat(SLOW_MS, askLimits);
