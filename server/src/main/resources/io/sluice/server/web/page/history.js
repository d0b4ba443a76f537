// History of changes of limits: every revision with its author and note, and a button to undo it.
import { ask, byId, count, el, renew, seen, shortId, time, wait, whom } from './dom.js';
import { propose } from './proposal.js';
import { undoing } from './requests.js';

const PAGE = 30;
const MOST_OF_USER = 10;
const VERDICTS = { allow: 'exempt', reject: 'block', pause: 'pause', meter: 'limited as usual' };
let writes = false;
let known = { revisions: [] };
let most = PAGE;
let asked = 0;

export function begin() {
  byId('history-form').addEventListener('change', () => {
    most = PAGE;
    refresh();
  });
  byId('history-form').addEventListener('submit', (event) => event.preventDefault());
  byId('history-more').addEventListener('click', () => {
    most += PAGE;
    show();
  });
}

export function know(told) {
  const changed = writes !== told.writes;
  ({ writes } = told);
  if (changed) show();
}

/** Loads and shows the history of changes; returns whether that succeeded. */
export async function refresh() {
  const mine = ++asked;
  const { limit } = byId('history-form').elements;
  const path = limit.value ? `/api/history?limit=${encodeURIComponent(limit.value)}` : '/api/history';
  try {
    const told = await ask(path);
    if (mine === asked) {
      known = told;
      show();
    }
    return true;
  } catch (error) {
    if (mine === asked) byId('history-note').textContent = `The changes cannot be loaded: ${seen(error.message)}`;
    return false;
  }
}

/** Shows the changes for one key in an element, and the command that lists the events of the key. */
export async function ofUser(fields, place) {
  const key = Object.entries(fields).map((each) => `--for ${quoted(each.join('='))}`);
  const command = ['./sluice ask --config FILE', ...key, '--last 1h'].join(' ');
  const events = el('p', { class: 'note' }, 'Command for the last events of this key: ', el('code', {}, seen(command)));
  try {
    const { revisions, more } = await ask(`/api/history?${new URLSearchParams(fields)}`);
    const shown = revisions.slice(0, MOST_OF_USER).map(item);
    const rest = revisions.length - shown.length;
    const texts = revisions.length === 0 ? ['No changes for this key only.'] : [];
    if (rest > 0) texts.push(`${more ? 'At least ' : ''}${count(rest)} older changes are not shown here: ./sluice limits history shows them.`);
    renew(
      place,
      el('h3', {}, 'Changes for this key'),
      el('ul', { class: 'changes' }, ...shown),
      ...texts.map((text) => el('p', { class: 'note' }, text)),
      events,
    );
  } catch (error) {
    place.replaceChildren(el('p', { class: 'note' }, `The changes for this key cannot be loaded: ${seen(error.message)}`), events);
  }
}

/** Quotes a text as one word for a shell. */
const quoted = (text) => (/^[\w.@:=-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

function item(entry) {
  const { standing, revision } = entry;
  const until = revision.until === undefined ? '' : ` until ${time(revision.until)}`;
  const who = [revision.by ? `by ${seen(revision.by)}` : '', seen(revision.note || ''), remarks(entry)].filter((each) => each).join('; ');
  return el(
    'li',
    {},
    el('strong', {}, revision.limit === '*' ? 'every limit' : revision.limit),
    ` ${sets(revision.set)}, `,
    el('span', { class: `standing ${standing.replace(' ', '-')}` }, standing),
    small(`from ${time(revision.effectiveAt)}${until}${who && `, ${who}`}`),
  );
}

function show() {
  const { revisions } = known;
  renew(byId('history-table').tBodies[0], ...revisions.slice(0, most).map(row));
  byId('history-table').hidden = revisions.length === 0;
  byId('history-more').hidden = revisions.length <= most;
  byId('history-note').textContent = revisions.length === 0 ? 'No changes yet.' : `${count(revisions.length)}${known.more ? ' newest' : ''} ${revisions.length === 1 ? 'change' : 'changes'}.`;
}

function row(entry) {
  const { standing, revision } = entry;
  if (!revision) return unreadable(entry);
  const until = revision.until === undefined ? '' : `until ${time(revision.until)}`;
  const by = revision.by ? seen(revision.by) : '';
  return tr(
    [time(revision.effectiveAt), small(until)],
    [el('strong', {}, revision.limit === '*' ? 'every limit' : revision.limit), ` ${sets(revision.set)}`, small(revision.for ? `for ${whom(revision.for)}` : '')],
    [by, small(seen(revision.note || ''))],
    [el('span', { class: `standing ${standing.replace(' ', '-')}` }, standing), small(remarks(entry))],
    [small(shortId(revision.id)), ...undo(revision, standing)],
  );
}

const unreadable = ({ id, writtenAt, reason }) =>
  tr([time(writtenAt)], ['a record that cannot be read', small(seen(reason))], [''], [el('span', { class: 'standing refused' }, 'unreadable')], [small(seen(id))]);

/** Creates a table row with explicit roles, since narrow screens show its cells below each other. */
const tr = (...cells) => el('tr', { role: 'row' }, ...cells.map((each) => el('td', { role: 'cell' }, ...each)));

const small = (text) => (text ? el('span', { class: 'small' }, text) : '');

function sets(set) {
  const texts = Object.entries(set).map(([name, text]) => {
    if (text === null) return `${name} cleared`;
    if (name === 'verdict') return VERDICTS[text] || seen(text);
    return name === 'reset' ? 'reset usage' : `${name}=${seen(text)}`;
  });
  return texts.join(', ');
}

function remarks({ lateMs, refusals }) {
  const late = lateMs > 0 ? [`late by ${wait(lateMs)}`] : [];
  return [...late, ...refusals.map((each) => seen(each.reason))].join('; ');
}

function undo(revision, standing) {
  if (!writes || !/^(planned|in force)$/.test(standing)) return [];
  const act = () => propose(byId('history-proposal'), 'Undo it', [undoing(revision.id)]);
  return [el('button', { type: 'button', 'data-id': revision.id, 'aria-label': `Undo ${shortId(revision.id)}`, onclick: act }, 'Undo')];
}
