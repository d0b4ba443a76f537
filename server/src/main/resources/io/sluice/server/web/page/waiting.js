// Waiting events of a key: positions, estimates, and a button that cancels an event.
import { ask, count, el, renew, seen, send, time, wait } from './dom.js';

const MOST = 20;
const LONGEST_ID = 1000;

/** List of a key's events that wait in line, over all limits. */
export class Waiting {
  constructor(fields, writes) {
    this.fields = fields;
    this.writes = writes;
    this.element = el('div', { class: 'waiting-list' });
    this.asked = new Set();
    this.notes = new Map();
  }

  async refresh() {
    try {
      const told = await ask(`/api/waiting?${new URLSearchParams({ ...this.fields, max: MOST })}`);
      renew(this.element, ...this.parts(told));
    } catch (error) {
      this.element.replaceChildren(el('p', { class: 'ill-text' }, seen(error.message)));
    }
  }

  parts(told) {
    if (told.count === 0) return [];
    const more = told.more || told.count > told.events.length;
    return [
      el('h3', {}, `Waiting in line: ${count(told.count)}${told.more ? ' or more' : ''}`),
      el('ul', { class: 'waiting-events' }, ...told.events.map((each) => this.row(each, told.asOfMs))),
      ...(more ? [el('p', { class: 'note' }, `The first ${count(told.events.length)} are shown.`)] : []),
      ...told.unanswered.map((each) => el('p', { class: 'note' }, `Without ${seen(each.instance)}: ${seen(each.why)}.`)),
    ];
  }

  row(event, nowMs) {
    const about = event.estimateMs > nowMs ? `leaves in about ${wait(event.estimateMs - nowMs)}` : 'leaves soon';
    const others = Object.entries(event.before).filter(([, number]) => number > 0);
    const before = others.map(([limit, number]) => `${count(number)} others before it at ${seen(limit)}`);
    const place = [`number ${count(event.position)} in its line`, ...before, about].join(', ');
    return el(
      'li',
      { 'data-event': event.eventId },
      el('strong', {}, seen(event.eventId || 'unreadable event')),
      ` ${seen(event.action)}, since ${time(event.arrivedMs)}: ${place}. `,
      ...this.cancel(event),
    );
  }

  cancel({ eventId: id }) {
    const note = this.notes.get(id);
    if (note) return [el('span', { class: 'note', role: 'status' }, note)];
    const can = this.writes && id !== '' && id.length <= LONGEST_ID;
    if (!can) return [];
    const asks = this.asked.has(id);
    return [el('button', { type: 'button', 'data-id': `cancel ${id}`, onclick: () => this.press(id) }, asks ? 'Confirm cancellation' : 'Cancel')];
  }

  /** Asks for a confirmation, and then cancels the event. */
  async press(id) {
    if (!this.asked.has(id)) {
      this.asked.add(id);
    } else {
      this.asked.delete(id);
      this.notes.set(id, 'Cancelling …');
      try {
        const told = await send('POST', '/api/cancel', { for: this.fields, event: id });
        this.notes.set(id, told.order === '' ? 'It does not wait any more.' : 'Cancelling …');
      } catch (error) {
        this.notes.set(id, seen(error.message));
      }
    }
    await this.refresh();
  }
}
