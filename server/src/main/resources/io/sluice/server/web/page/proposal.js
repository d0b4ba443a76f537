// Proposals of changes: the server describes the effect of a change before a button publishes it.
import { el, seen, send, shortId, time } from './dom.js';

const BY = 'sluice.by';
const latest = new WeakMap();

function remembered() {
  try {
    return localStorage.getItem(BY) || '';
  } catch {
    return ''; // the browser's storage may be disabled
  }
}

function remember(by) {
  try {
    localStorage.setItem(BY, by);
  } catch {
    // the storage may be disabled: the user then enters the name again
  }
}

/** Removes the proposal in an element, and ignores responses that are still expected for it. */
export function withdraw(place) {
  latest.delete(place);
  place.replaceChildren();
}

/** Shows lines of text in an element and moves the focus there. */
export function tell(place, kind, ...lines) {
  latest.delete(place);
  show(place, el('div', { class: kind, role: kind === 'mistakes' ? 'alert' : 'status', tabindex: '-1' }, ...lines));
}

/**
 * Sends requests as dry runs, shows their effects in an element, and adds a button that publishes them.
 *
 * @param requests list of { method, path, body }, or a function that returns the list or throws
 */
export async function propose(place, button, requests) {
  const mine = {};
  latest.set(place, mine);
  place.replaceChildren(el('p', { class: 'note' }, 'Loading the preview …'));
  const isLatest = () => latest.get(place) === mine;
  try {
    const all = typeof requests === 'function' ? await requests() : requests;
    const answers = [];
    for (const each of all) answers.push(await sent(each, { dryRun: true }));
    if (isLatest()) show(place, shown(place, button, all, answers));
  } catch (error) {
    if (isLatest()) refuse(place, error);
  }
}

const sent = ({ method, path, body }, more) => send(method, path, { ...body, ...more });

function show(place, element) {
  place.replaceChildren(element);
  element.focus();
}

function refuse(place, error, ...before) {
  const all = error.mistakes || [error.message];
  tell(place, 'mistakes', ...before, el('ul', {}, ...all.map((each) => el('li', {}, seen(String(each))))));
}

function shown(place, button, requests, answers) {
  const publish = el('button', { class: 'primary' }, button);
  const by = el('input', { name: 'by', maxlength: '200', autocomplete: 'off', value: remembered() });
  const note = el('input', { name: 'note', maxlength: '1000', autocomplete: 'off' });
  const form = el(
    'form',
    { class: 'row' },
    el('label', {}, 'Your name (optional) ', by),
    el('label', {}, 'Note (optional) ', note),
    publish,
    el('button', { type: 'button', onclick: () => withdraw(place) }, 'Cancel'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    publish.disabled = true;
    remember(by.value.trim());
    publishAll(place, requests, { by: by.value.trim(), note: note.value.trim() });
  });
  return el(
    'div',
    { class: 'proposal', role: 'group', 'aria-label': 'Preview', tabindex: '-1' },
    el('p', {}, el('strong', {}, 'Preview')),
    ...lines(answers),
    form,
  );
}

async function publishAll(place, requests, who) {
  const answers = [];
  const given = Object.fromEntries(Object.entries(who).filter(([, text]) => text));
  try {
    for (const each of requests) answers.push(await sent(each, given));
    tell(place, 'done', ...published(answers));
  } catch (error) {
    refuse(place, error, ...(answers.length > 0 ? published(answers) : []));
  }
  document.dispatchEvent(new CustomEvent('published'));
}

function published(answers) {
  const ids = answers.flatMap((each) => each.published || []);
  return [el('p', {}, el('strong', {}, 'Published'), ids.length > 0 ? ` ${ids.map(shortId).join(', ')}` : ''), ...lines(answers)];
}

function lines(answers) {
  const said = answers.flatMap((each) => each.said || []).filter((line) => !/^(dry run:|published |undone )/.test(line));
  const warnings = answers.flatMap((each) => each.warnings || []);
  return [
    el('ul', { class: 'said' }, ...said.map((line) => el('li', {}, ...beforeAndAfter(line)))),
    ...(warnings.length > 0 ? [el('ul', { class: 'warnings' }, ...warnings.map((line) => el('li', {}, words(line))))] : []),
  ];
}

function beforeAndAfter(line) {
  const at = line.indexOf(' -> ');
  return at < 0 ? [words(line)] : [words(line.slice(0, at)), ' → ', el('strong', {}, words(line.slice(at + 4)))];
}

/** Converts UTC times in a line of text to the browser's time zone. */
const words = (line) => seen(line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/g, (each) => time(Date.parse(each))));
