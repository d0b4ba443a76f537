// Waiting events of a key: positions, estimates, and a button that cancels an event.
import { ask, count, el, renew, seen, send, time, wait } from './dom.js';

const MOST = 20;
const LONGEST_ID = 1000;

/** Instances read many events for an answer, so the page asks rarely, except while an event is being cancelled. */
const EVERY_MS = 10000;

/** Time after which an event that still waits can be cancelled again. */
const CANCELS_MS = 20000;

/** List of a key's events that wait in line, over all limits. */
export class Waiting {
  constructor(fields, writes) {
    this.fields = fields;
    this.writes = writes;
    this.element = el('div', { class: 'waiting-list' });
    this.asked = new Set();
    this.cancels = new Map();
    this.errors = new Map();
    this.told = null;
    this.nextMs = 0;
  }

  /** Called more often than the instances shall be asked. */
  async refresh() {
    for (const [id, sinceMs] of this.cancels) if (Date.now() > sinceMs + CANCELS_MS) this.cancels.delete(id);
    if (Date.now() < this.nextMs && this.cancels.size === 0) return;
    this.nextMs = Date.now() + EVERY_MS;
    try {
      this.told = await ask(`/api/waiting?${new URLSearchParams({ ...this.fields, max: MOST })}`);
      this.show();
    } catch (error) {
      this.told = null;
      this.element.replaceChildren(el('p', { class: 'ill-text' }, seen(error.message)));
    }
  }

  show() {
    if (this.told) renew(this.element, ...this.parts(this.told));
  }

  parts(told) {
    const notes = lacks(told).map((each) => el('p', { class: 'note' }, each));
    if (told.count === 0) {
      return notes.length === 0 ? [] : [el('h3', {}, 'Waiting in line: none found'), el('p', { class: 'note' }, 'More may wait.'), ...notes];
    }
    const more = told.more || told.count > told.events.length;
    return [
      el('h3', {}, `Waiting in line: ${count(told.count)}${notes.length > 0 ? ' or more' : ''}`),
      el('ul', { class: 'waiting-events' }, ...told.events.map((each) => this.row(each, told.asOfMs))),
      ...(more ? [el('p', { class: 'note' }, `The first ${count(told.events.length)} are shown.`)] : []),
      ...notes,
    ];
  }

  row(event, nowMs) {
    const others = Object.entries(event.before).filter(([, number]) => number > 0);
    const before = others.map(([limit, number]) => `${count(number)} others before it at ${seen(limit)}`);
    const place = [`number ${count(event.position)} in its line`, ...before, leaves(event, nowMs)].join(', ');
    return el(
      'li',
      { 'data-event': event.eventId },
      el('strong', {}, seen(event.eventId || 'unreadable event')),
      ` ${seen(event.action)}, since ${time(event.arrivedMs)}: ${place}. `,
      ...this.cancel(event),
    );
  }

  cancel({ eventId: id }) {
    if (this.cancels.has(id)) return [el('span', { class: 'note', role: 'status' }, 'Cancelling …')];
    const can = this.writes && id !== '' && id.length <= LONGEST_ID;
    if (!can) return [];
    const asks = this.asked.has(id);
    const error = this.errors.get(id);
    return [
      el('button', { type: 'button', 'data-id': `cancel ${id}`, onclick: () => this.press(id) }, asks ? 'Confirm cancellation' : 'Cancel'),
      ...(error ? [' ', el('span', { class: 'ill-text', role: 'status' }, error)] : []),
    ];
  }

  /** Asks for a confirmation, and then cancels the event. */
  async press(id) {
    if (!this.asked.has(id)) {
      this.asked.add(id);
      this.show();
      return;
    }
    this.asked.delete(id);
    this.errors.delete(id);
    this.cancels.set(id, Date.now());
    this.show();
    try {
      const told = await send('POST', '/api/cancel', { for: this.fields, event: id });
      if (told.order === '') this.cancels.delete(id);
    } catch (error) {
      this.cancels.delete(id);
      this.errors.set(id, seen(error.message));
    }
    this.nextMs = 0;
    await this.refresh();
  }
}

/** Without a time if none is known, as during a pause without an end. */
function leaves(event, nowMs) {
  if (!event.estimateMs) return 'leaves at a time that is not known';
  return event.estimateMs > nowMs ? `leaves in about ${wait(event.estimateMs - nowMs)}` : 'leaves soon';
}

/** Returns sentences on the events that an answer may lack. */
const lacks = (told) => [
  ...(told.more ? ['Only the first 20,000 events of each partition are read.'] : []),
  ...(told.moving ? ['Partitions are moving, so that events are left out.'] : []),
  ...told.unanswered.map((each) => `Without ${seen(each.instance)}: ${seen(each.why)}.`),
  ...(told.missing.length > 0 ? [`Without ${count(told.missing.length)} partitions.`] : []),
];
