// Inputs for the times at which a change of limits begins and ends.
import { el } from './dom.js';

const TIME = 'time';
const BEGINS = [['', 'at once'], ['600', 'in 10 minutes'], ['3600', 'in 1 hour'], ['86400', 'in 1 day'], [TIME, 'at a time …']];
const ENDS = [
  ['', 'never'], ['600', 'after 10 minutes'], ['3600', 'after 1 hour'], ['86400', 'after 1 day'], ['604800', 'after 7 days'], [TIME, 'at a time …'],
];

export class When {
  /**
   * Creates the inputs.
   *
   * @param lasts initially chosen duration in seconds; '' for no end
   */
  constructor(lasts = '') {
    this.begins = new Choice('begins', 'Begins', BEGINS, '');
    this.ends = new Choice('ends', 'Ends', ENDS, lasts);
  }

  elements() {
    return [...this.begins.elements, ...this.ends.elements];
  }

  /** Returns the request's fields at and until; a field that has its default is left out. */
  read() {
    const fields = {};
    const { begins, ends } = this;
    if (begins.time) fields.at = begins.time.toISOString();
    else if (begins.seconds) fields.at = `+${begins.seconds}s`;
    if (ends.time) fields.until = ends.time.toISOString();
    else if (ends.seconds && begins.time) fields.until = new Date(begins.time.getTime() + ends.seconds * 1000).toISOString();
    else if (ends.seconds) fields.until = `+${begins.seconds + ends.seconds}s`;
    return fields;
  }
}

class Choice {
  constructor(name, label, options, chosen) {
    this.select = el('select', { name }, ...options.map(([value, text]) => el('option', { value, selected: value === chosen }, text)));
    this.input = el('input', { type: 'datetime-local', name: `${name}-at` });
    const exact = el('label', { class: 'exact', hidden: true }, `${label} at, local time `, this.input);
    this.select.addEventListener('change', () => {
      exact.hidden = this.select.value !== TIME;
      this.input.required = !exact.hidden;
    });
    this.elements = [el('label', {}, `${label} `, this.select), exact];
  }

  get time() {
    return this.select.value === TIME && this.input.value ? new Date(this.input.value) : null;
  }

  get seconds() {
    return this.select.value === TIME ? 0 : Number(this.select.value);
  }
}
