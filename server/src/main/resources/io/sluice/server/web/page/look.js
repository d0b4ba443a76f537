// Lookup of a key: its state under each limit, its changes, and the buttons that change its limits.
import { ask, byId, el, renew, repeat, seen, time, wait, whom } from './dom.js';
import { answer } from './answer.js';
import { acts } from './acts.js';
import { ofUser } from './history.js';
import { isTrial } from './trial.js';
import { Waiting } from './waiting.js';

const EVERY_MS = 2000;
let limits = [];
let writes = false;
let cards = [];
let waiting = null;
let changes = () => {};

export function know(told) {
  ({ limits, writes } = told);
}

export function begin() {
  byId('look-form').addEventListener('submit', (event) => {
    event.preventDefault();
    lookUp({ userId: byId('look-form').elements.userId.value });
  });
  repeat(EVERY_MS, refresh);
  document.addEventListener('published', () => changes());
}

/** Shows a key's state under the named limits; by default under each limit that counts by no other fields. */
export async function lookUp(fields, names) {
  if (fields.userId !== undefined) byId('look-form').elements.userId.value = fields.userId;
  cards = (names || fitting(fields)).map((name) => new Card(name, fields));
  const shown = cards;
  const alone = Object.keys(fields).length === 1;
  const list = el('div', { class: 'own-history' });
  changes = () => ofUser(fields, list);
  waiting = limits.some((each) => each.settings.exceeded === 'queue') ? new Waiting(fields, writes) : null;
  byId('look').replaceChildren(
    el('p', {}, whom(fields)),
    ...(writes && alone ? [acts(fields, null, ['block', 'exempt', ...(limits.some(queues) ? ['pause', 'resume'] : []), 'clear'])] : []),
    ...(cards.length > 0 ? [el('div', { class: 'cards' }, ...cards.map((each) => each.element))] : [el('p', {}, `No limit counts by ${Object.keys(fields).join(', ')} only.`)]),
    ...(waiting ? [waiting.element] : []),
    list,
  );
  changes();
  byId('look-title').focus();
  await refresh();
  if (shown === cards) byId('look-says').textContent = cards.length > 0 ? `${cards.length} answers` : 'No answers';
}

/** Updates the cards of all limits, and the list of changes if other revisions are in force for the key. */
async function refresh() {
  const shown = cards;
  const before = JSON.stringify(shown.map((each) => each.revisions));
  await Promise.all([...shown, ...(waiting ? [waiting] : [])].map((each) => each.refresh()));
  if (shown === cards && JSON.stringify(shown.map((each) => each.revisions)) !== before) changes();
}

const queues = (limit) => limit.settings.exceeded === 'queue';

const fitting = (fields) =>
  limits
    .filter((limit) => !isTrial(limit, limits) && limit.key.every((field) => field in fields))
    .map((limit) => limit.limit);

/** Card with the key's state under one limit. Updates keep the form below the state. */
class Card {
  constructor(name, fields) {
    const limit = limits.find((each) => each.limit === name);
    // A limit of all users counts by no field.
    const key = Object.entries(fields).filter(([field]) => !limit || limit.key.includes(field));
    this.path = `/api/limits/${encodeURIComponent(name)}/key?${new URLSearchParams(key)}`;
    this.answer = el('div', {}, el('p', {}, 'Loading …'));
    this.revisions = [];
    const can = writes && limit && Object.keys(fields).length > 0;
    this.element = el(
      'article',
      { class: 'card', 'data-limit': name },
      el('h3', {}, name),
      this.answer,
      ...(can ? [acts(fields, limit, ['block', 'exempt', ...(queues(limit) ? ['pause', 'resume'] : []), 'reset', 'clear'])] : []),
    );
  }

  async refresh() {
    try {
      const told = await ask(this.path);
      this.revisions = told.revisions.map((each) => each.id);
      renew(this.answer, ...answer(told), all(told));
      const clear = this.element.querySelector('[data-act=clear]');
      if (clear) clear.hidden = !told.revisions.some((each) => each.for);
      const resume = this.element.querySelector('[data-act=resume]');
      if (resume) resume.hidden = !(told.pauses || []).some((each) => each.for && each.limit !== '*');
    } catch (error) {
      this.answer.replaceChildren(el('p', { class: 'ill-text' }, seen(error.message)));
    }
  }
}

const all = (told) => el('details', { 'data-id': 'all' }, el('summary', { 'data-id': 'all' }, 'All details'), list(told));

/** Lists all fields of an API response, with names, times and durations formatted. */
export function list(object) {
  const rows = [];
  for (const [name, value] of Object.entries(object)) {
    if (value === null || name === 'limit') continue;
    rows.push(el('dt', {}, words(name)), el('dd', {}, shown(name, value)));
  }
  return el('dl', { class: 'known' }, ...rows);
}

const words = (name) => name.replace(/Ms$/, '').replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

function shown(name, value) {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    if (value.every((each) => typeof each !== 'object')) return value.map((each) => seen(String(each))).join(', ');
    return el('ul', {}, ...value.map((each) => el('li', {}, shown('', each))));
  }
  if (typeof value === 'object') return list(value);
  if (typeof value === 'number' && /(After|period)Ms$/i.test(name)) return wait(value);
  if (typeof value === 'number' && /Ms$/.test(name)) return value > 0 ? time(value) : 'no';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return seen(String(value));
}
