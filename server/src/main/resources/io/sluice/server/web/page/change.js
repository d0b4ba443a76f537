// Form that changes the settings of a limit, for all users or for one.
import { el, seen } from './dom.js';
import { propose, tell, withdraw } from './proposal.js';
import { setting } from './requests.js';
import { beginning } from './trial.js';
import { When } from './when.js';

/** Settings of a limit that the form omits: they cannot change, or other buttons change them. */
const FIXED = ['key', 'backend', 'enabled', 'verdict'];
const OF_ONE = ['quota', 'burst', 'block', 'delay.max'];
const OTHERS = [
  'algorithm', 'block', 'burst', 'count', 'delay.max', 'distinct', 'exceeded', 'key.missing', 'match.action', 'mode', 'redis.unavailable',
  'retry.attempts', 'retry.jitter', 'unless', 'zone',
];
let lists = 0;

/**
 * Creates the form.
 *
 * @param limit from the API's list of limits
 * @param scope names and values of the fields that select the events; empty for all events
 * @param close called when the user closes the form
 */
export function changeForm(limit, scope, close) {
  const isForAll = Object.keys(scope).length === 0;
  const inputs = names(limit, isForAll).map((name) => new Setting(name, limit.settings[name]));
  const other = new Other();
  const when = new When();
  const place = el('div');
  const form = el(
    'form',
    { class: 'change' },
    el('div', { class: 'fields' }, ...inputs.map((each) => each.label)),
    el('div', { class: 'fields' }, ...other.labels),
    el('div', { class: 'fields' }, ...when.elements()),
    ...hint(limit, isForAll),
    el(
      'p',
      { class: 'row' },
      el('button', { class: 'primary' }, 'Preview'),
      el('button', { type: 'button', onclick: () => begin() }, 'Try it first'),
      el('button', { type: 'button', onclick: close }, 'Close'),
    ),
  );
  const changed = () => Object.assign({}, ...inputs.map((each) => each.change()), other.change());
  const withChange = (task) => {
    const set = changed();
    if (Object.keys(set).length > 0) task(set);
    else tell(place, 'mistakes', 'Change a setting first.');
  };
  const begin = () => withChange((set) => propose(place, 'Start trial', () => trial(limit, scope, set)));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    withChange((set) => propose(place, 'Publish', setting(limit.limit, scope, set, when.read())));
  });
  form.addEventListener('input', () => withdraw(place)); // the proposal no longer matches the inputs
  return el('div', {}, form, place);
}

async function trial(limit, scope, set) {
  if (limit.references.length > 0) throw new Error(`a trial is not possible: the file takes ${limit.references.join(', ')} from a reference, and the page does not know the value`);
  return beginning(limit, scope, set);
}

function names(limit, isForAll) {
  const can = Object.keys(limit.settings).filter((name) => !FIXED.includes(name) && !limit.references.includes(name));
  const shown = isForAll ? can : can.filter((name) => OF_ONE.includes(name));
  return shown.sort((a, b) => (b === 'quota') - (a === 'quota') || a.localeCompare(b));
}

function hint(limit, isForAll) {
  const kept = [...limit.references, ...Object.keys(limit.settings).filter((name) => name === 'key' || name === 'backend')];
  const texts = kept.map((name) => `${name}=${limit.settings[name]}`);
  return isForAll && kept.length > 0 ? [el('p', { class: 'note' }, `Cannot be changed here: ${seen(texts.join(', '))}`)] : [];
}

/** Input of a setting that the limit has. If the input is emptied, the setting returns to the file's value. */
class Setting {
  constructor(name, text) {
    this.name = name;
    this.text = text;
    this.input = el('input', { name, value: text, autocomplete: 'off', spellcheck: 'false' });
    this.label = el('label', {}, name === 'quota' ? 'quota, such as 10/60s ' : `${name} `, this.input);
  }

  change() {
    const text = this.input.value.trim();
    return text === this.text.trim() ? {} : { [this.name]: text || null };
  }
}

/** Inputs for a setting that the limit does not have yet: its name and its value. */
class Other {
  constructor() {
    const list = `settings-${++lists}`;
    this.name = el('input', { name: 'other-name', list, autocomplete: 'off', spellcheck: 'false' });
    this.text = el('input', { name: 'other-text', autocomplete: 'off', spellcheck: 'false' });
    const known = el('datalist', { id: list }, ...OTHERS.map((name) => el('option', { value: name })));
    this.labels = [el('label', {}, 'another setting ', this.name, known), el('label', {}, 'its value ', this.text)];
  }

  change() {
    const name = this.name.value.trim();
    return name ? { [name]: this.text.value.trim() || null } : {};
  }
}
