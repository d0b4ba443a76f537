// Helpers for elements and HTTP requests. Data from the server is always inserted as text, never as markup.

/** Creates an element with attributes and children; a child that is no node becomes a text node. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Escapes invisible characters of a text, such as those that change its direction, as \uXXXX. */
export const seen = (text) =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (each) => `\\u${each.codePointAt(0).toString(16).padStart(4, '0')}`);

export const byId = (id) => document.getElementById(id);

export const count = (number) => Number(number).toLocaleString('en');

/**
 * Formats a duration in its two largest units, such as 2 min 5 s, rounded up, so that a retry after it is not too
 * early.
 */
export function wait(ms) {
  if (ms < 1000) return `${Math.ceil(ms)} ms`;
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return inUnits(seconds, 60, 'min', 's');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 48 * 60) return inUnits(minutes, 60, 'h', 'min');
  return inUnits(Math.ceil(minutes / 60), 24, 'd', 'h');
}

function inUnits(small, inLarge, large, rest) {
  const whole = `${Math.floor(small / inLarge)} ${large}`;
  return small % inLarge ? `${whole} ${small % inLarge} ${rest}` : whole;
}

export const time = (ms) => new Date(ms).toLocaleString('sv');

/** Formats the field values that select events, such as userId eve, target bob; empty for all events. */
export const whom = (fields) => Object.entries(fields || {}).map(([name, value]) => `${name} ${seen(value)}`).join(', ');

/** Shortens a generated revision id to a form that undo accepts; other ids stay whole. */
export const shortId = (id) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id.slice(0, 8) : seen(id));

/** Returns sentences on the number of instances in a response, and on the instances that are missing. */
export const whose = ({ answered, unanswered }) => [
  ...(answered.length > 1 ? [`Counts of ${answered.length} instances.`] : []),
  ...unanswered.map((each) => `Without ${seen(each.instance)}: ${seen(each.why)}.`),
];

/** Sends a GET request to the API; throws an error whose message is one line. */
export const ask = (path) => answered(path, { headers: { Accept: 'application/json' } });

/** Sends a change, or a dry run of a change, to the API. A thrown error has all mistakes. */
export const send = (method, path, body) =>
  answered(path, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

async function answered(path, request) {
  const response = await fetch(path, request);
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const error = new Error(body.error || `${path.split('?')[0]} answers with status ${response.status}`);
  error.status = response.status;
  error.mistakes = body.mistakes || [error.message];
  throw error;
}

/** Repeats a task with a pause after each run; skips the task while the page is not visible. */
export function repeat(everyMs, task) {
  const next = async () => {
    if (document.visibilityState === 'visible') await task().catch(() => {});
    setTimeout(next, everyMs);
  };
  next();
}

/** Replaces the children of an element. Open details elements stay open, and the focus is restored. */
export function renew(place, ...children) {
  const named = (root, selector) => [...root.querySelectorAll(selector)];
  const open = named(place, 'details[open]').map((each) => each.dataset.id);
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
  place.replaceChildren(...children);
  for (const each of named(place, 'details')) each.open = open.includes(each.dataset.id);
  if (focused !== undefined) named(place, '[data-id]').find((each) => each.dataset.id === focused && each.tabIndex >= 0)?.focus();
}

/** Replaces the options of a select element after its first option; the chosen option stays chosen. */
export function offer(select, names) {
  const offered = [...select.options].slice(1).map((option) => option.value);
  if (JSON.stringify(offered) === JSON.stringify(names)) return;
  const chosen = select.value;
  select.replaceChildren(select.options[0], ...names.map((name) => el('option', { value: name }, name)));
  select.value = names.includes(chosen) ? chosen : '';
}
