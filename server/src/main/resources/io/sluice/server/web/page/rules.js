// Limits in force: their descriptions, planned changes, and a form that changes them.
import { byId, count, el, renew, seen, shortId, time } from './dom.js';
import { pauses } from './acts.js';
import { changeForm } from './change.js';
import { trials } from './trial.js';

const MOST_PLANNED = 5;
const rules = new Map();

export function show({ limits, writes, access }) {
  const tried = trials(limits);
  const shown = limits.filter((each) => ![...tried.values()].some(({ trial }) => trial === each));
  for (const [name, rule] of rules) {
    if (shown.some((each) => each.limit === name)) continue;
    rule.card.remove();
    rules.delete(name);
  }
  const place = byId('rules');
  shown.forEach((limit, i) => {
    if (!rules.has(limit.limit)) rules.set(limit.limit, new Rule(limit.limit));
    const rule = rules.get(limit.limit);
    if (place.children[i] !== rule.card) place.insertBefore(rule.card, place.children[i] || null);
    rule.show(limit, writes, tried.has(limit.limit));
  });
  byId('cannot-write').hidden = writes || access === 'read';
  byId('only-reads').hidden = access !== 'read';
}

/** Card of one limit. Updates replace the description of the limit and keep its form. */
class Rule {
  constructor(name) {
    this.says = el('div');
    this.form = el('div');
    this.change = el('button', { type: 'button', onclick: () => this.open(), 'aria-expanded': 'false' }, `Change ${name}`);
    this.buttons = el('p', { class: 'row' }, this.change);
    this.pauses = el('div', {}, ...pauses(name));
    this.card = el('article', { class: 'card', 'data-limit': name }, el('h3', {}, name), this.says, this.buttons, this.form, this.pauses);
  }

  open() {
    if (this.form.hasChildNodes()) return this.close();
    this.form.append(changeForm(this.limit, {}, () => this.close()));
    this.change.setAttribute('aria-expanded', 'true');
    this.form.querySelector('input').select();
  }

  close() {
    this.form.replaceChildren();
    this.change.setAttribute('aria-expanded', 'false');
    this.change.focus();
  }

  show(limit, writes, isTried) {
    this.limit = limit;
    this.buttons.hidden = !writes;
    const isPaused = (limit.pauses || []).some((each) => each.limit === limit.limit);
    this.pauses.hidden = !writes || !(isPaused || limit.settings.exceeded === 'queue');
    this.pauses.querySelector('[data-act=resume]').hidden = !isPaused;
    const [which, quota, ...rest] = limit.words;
    renew(
      this.says,
      el('p', { class: 'quota' }, quota || ''),
      el('p', {}, `${which}; ${rest.join('; ')}`),
      ...notes(limit, isTried).map((text) => el('p', { class: 'note' }, text)),
      settings(limit),
    );
  }
}

function notes(limit, isTried) {
  const planned = limit.planned.slice(0, MOST_PLANNED).map((each) => {
    const whom = each.for ? ` for ${seen(each.for)}` : '';
    return `Planned: change ${shortId(each.id)} from ${time(each.sinceMs)}${whom}`;
  });
  const more = limit.plannedCount - planned.length;
  if (more > 0) planned.push(`and ${count(more)} more planned`);
  const last = limit.revisions[limit.revisions.length - 1];
  const changed = last ? [`Changed at ${time(last.sinceMs)}${last.by ? ` by ${seen(last.by)}` : ''}`] : [];
  const own = limit.overrides > 0 ? [`${count(limit.overrides)} ${limit.overrides === 1 ? 'change' : 'changes'} for single users`] : [];
  return [...(limit.pauses ? [pausedUntil(limit.pauses)] : []), ...changed, ...planned, ...own, ...(isTried ? ['A trial is running: see the chart'] : [])];
}

/** Describes the pauses of a limit by the one that ends last. */
function pausedUntil(pausing) {
  const all = pausing.some((each) => each.limit === '*') ? ' (all limits with a queue)' : '';
  const known = pausing.every((each) => each.untilMs !== undefined);
  return `Paused until ${known ? time(Math.max(...pausing.map((each) => each.untilMs))) : 'it is resumed'}${all}`;
}

const settings = (limit) =>
  el(
    'details',
    { 'data-id': limit.limit },
    el('summary', { 'data-id': limit.limit }, 'Settings'),
    el('dl', { class: 'known' }, ...Object.entries(limit.settings).flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, seen(text))])),
  );
