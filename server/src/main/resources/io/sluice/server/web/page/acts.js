// Buttons that change the limits of one user: block, exempt, pause, reset usage, remove override (the settings for this user);
// and those that pause a limit for all users.
import { el } from './dom.js';
import { propose, withdraw } from './proposal.js';
import { changeForm } from './change.js';
import { acting } from './requests.js';
import { When } from './when.js';

const ACTS = {
  block: { name: 'Block', says: 'All events are rejected, with the reason denied.', lasts: '3600' },
  exempt: { name: 'Exempt', says: 'Events are neither counted nor limited.', lasts: '' },
  pause: { name: 'Pause', says: 'Events wait in line until the pause ends.', lasts: '3600' },
  resume: { name: 'Resume' },
  reset: { name: 'Reset usage' },
  clear: { name: 'Remove override' },
};

/**
 * Creates the buttons.
 *
 * @param limit from the API's list of limits; null stands for every limit
 */
export function acts(fields, limit, names) {
  const summary = limit ? `Change ${limit.limit} for this user` : 'Change every limit for this user';
  return el('details', { class: 'acts' }, el('summary', {}, summary), ...panel(fields, limit ? limit.limit : '*', names, limit));
}

/** Creates the buttons that pause a limit for all its events, and end the pauses. */
export const pauses = (name) => panel({}, name, ['pause', 'resume'], null);

/** Returns a row of buttons, and the place where their forms and previews appear. */
function panel(fields, target, names, limit) {
  const place = el('div');
  const close = () => withdraw(place);
  const open = (content) => {
    withdraw(place);
    place.append(content);
    const first = content.querySelector('input, select');
    first?.focus();
    first?.select?.();
  };
  const buttons = names.map((name) => button(ACTS[name].name, () => (ACTS[name].lasts === undefined ? now(name) : open(form(name))), name));
  if (limit) buttons.unshift(button('Change the limit', () => open(changeForm(limit, fields, close))));
  const now = (name) => propose(place, ACTS[name].name, [acting(target, name, fields)]);

  function form(name) {
    const when = new When(ACTS[name].lasts);
    const shown = el('div');
    const it = el(
      'form',
      { class: 'change' },
      el('p', {}, ACTS[name].says),
      el('div', { class: 'fields' }, ...when.elements()),
      el('p', { class: 'row' }, el('button', { class: 'primary' }, 'Preview'), button('Close', close)),
    );
    it.addEventListener('submit', (event) => {
      event.preventDefault();
      propose(shown, ACTS[name].name, [acting(target, name, fields, when.read())]);
    });
    it.addEventListener('input', () => withdraw(shown));
    return el('div', {}, it, shown);
  }

  return [el('p', { class: 'row' }, ...buttons), place];
}

const button = (text, onclick, act = '') => el('button', { type: 'button', onclick, 'data-act': act }, text);
