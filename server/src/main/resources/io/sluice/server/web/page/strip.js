// Results of a limit's trial (a changed copy of it in shadow mode), below its chart, with buttons that apply the change
// or end the trial.
import { count, el, renew, seen, time, whom } from './dom.js';
import { propose } from './proposal.js';
import { ending, realizing } from './trial.js';

export class Strip {
  constructor() {
    this.says = el('div');
    this.place = el('div');
    this.buttons = el(
      'p',
      { class: 'row' },
      el('button', { type: 'button', class: 'primary', onclick: () => propose(this.place, 'Apply change', () => realizing(this.tried)) }, 'Apply change …'),
      el('button', { type: 'button', onclick: () => propose(this.place, 'End trial', () => ending(this.tried.trial.limit)) }, 'End trial …'),
    );
    this.element = el('div', { class: 'trial' }, this.says, this.buttons, this.place);
  }

  /**
   * Shows the results of a trial. The last parameter has numbers of events since fromMs, or in the whole chart if all
   * is set: events that the trial would reject and delay, and events that the limit rejected.
   */
  show(tried, writes, { fromMs, all, would, delayed, did }) {
    this.tried = tried;
    this.buttons.hidden = !writes;
    const change = Object.entries(tried.set).map(([name, text]) => (text === null ? `${name} cleared` : `${name}=${seen(text)}`));
    const forWhom = whom(tried.scope);
    const waits = delayed > 0 ? `, ${count(delayed)} delayed` : '';
    renew(
      this.says,
      el('p', {}, el('span', { class: 'key would' }, 'would be rejected'), ' if ', el('strong', {}, change.join(', ') || 'nothing changed'), forWhom && ` for ${forWhom}`),
      el(
        'p',
        { class: 'note' },
        `Trial since ${time(tried.sinceMs)}. It began with empty counts, and does not change any verdict.`
          + ` ${all ? 'In the last 15 minutes' : `Since ${time(fromMs).slice(11)}`}:`
          + ` ${count(would)} would be rejected${waits}; ${count(did)} were rejected${forWhom && ' for all keys'}.`,
      ),
    );
  }
}
