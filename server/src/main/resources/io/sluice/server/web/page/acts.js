// Buttons that change the limits of one user: block, exempt, reset usage, remove override (the settings for this user).
import { el } from './dom.js';
import { propose, withdraw } from './proposal.js';
import { changeForm } from './change.js';
import { acting } from './requests.js';
import { When } from './when.js';

const ACTS = {
  block: { name: 'Block', says: 'All events are rejected, with the reason denied.', lasts: '3600' },
  exempt: { name: 'Exempt', says: 'Events are neither counted nor limited.', lasts: '' },
  reset: { name: 'Reset usage' },
  clear: { name: 'Remove override' },
};

/**
 * Creates the buttons.
 *
 * @param limit from the API's list of limits; null stands for every limit
 */
export function acts(fields, limit, names) {
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
  const target = limit ? limit.limit : '*';
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

  const summary = limit ? `Change ${limit.limit} for this user` : 'Change every limit for this user';
  return el('details', { class: 'acts' }, el('summary', {}, summary), el('p', { class: 'row' }, ...buttons), place);
}

const button = (text, onclick, act = '') => el('button', { type: 'button', onclick, 'data-act': act }, text);
