// What is known of a key under each limit.
import { ask, byId, el, seen, time, wait } from './dom.js';

let limits = [];
let asked = 0;

export const know = (all) => { limits = all; };

export function begin() {
  byId('look-form').addEventListener('submit', (event) => {
    event.preventDefault();
    lookUp({ userId: byId('look-form').elements.userId.value });
  });
}

/** Asks each limit whose key has just these fields, or the one that is given. */
export async function lookUp(fields, names) {
  const mine = ++asked;
  if (fields.userId !== undefined) byId('look-form').elements.userId.value = fields.userId;
  const place = byId('look');
  place.replaceChildren(el('p', {}, 'Asking …'));
  byId('look-title').focus();
  const known = await Promise.all((names || fitting(fields)).map((limit) => known1(limit, fields)));
  if (mine !== asked) return;
  place.replaceChildren(
    el('p', {}, Object.entries(fields).map(([name, value]) => `${name} ${seen(value)}`).join(', ')),
    ...(known.length > 0 ? [el('div', { class: 'cards' }, ...known)] : [el('p', {}, 'No limit counts by that alone.')]),
  );
}

const fitting = (fields) =>
  limits
    .filter((limit) => limit.key === undefined || limit.key.every((field) => field in fields))
    .map((limit) => limit.limit);

async function known1(limit, fields) {
  const card = el('article', { class: 'card' }, el('h3', {}, limit));
  try {
    const query = new URLSearchParams(fields);
    card.append(list(await ask(`/api/limits/${encodeURIComponent(limit)}/key?${query}`)));
  } catch (error) {
    card.append(el('p', {}, error.message));
  }
  return card;
}

/** Whatever the API says, field by field: names in words, times and waits as people read them. */
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
  if (typeof value === 'number' && /(After|For|Wait|Age|Lag|Overdue|window|period)Ms$/i.test(name)) return wait(value);
  if (typeof value === 'number' && /Ms$/.test(name)) return value > 0 ? time(value) : 'no';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return seen(String(value));
}
