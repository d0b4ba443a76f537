// State of a key under a limit in sentences: its verdict with the reason, the time of its next allowed event, and the
// permits left.
import { count, el, seen, shortId, time, wait } from './dom.js';

export function answer(told) {
  return [
    ...applies(told),
    el('p', { class: `verdict ${told.verdict}` }, ...verdict(told)),
    ...(told.mode === 'shadow' ? [el('p', { class: 'note' }, 'This limit is in shadow mode: it rejects no events.')] : []),
    el('dl', { class: 'known' }, ...rows(told).flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
    ...(told.revisions.length > 0 ? [el('ul', { class: 'reasons' }, ...told.revisions.map((each) => el('li', {}, reason(each))))] : []),
  ];
}

/** Returns a note on the events of the key to which the limit applies; no note if it applies to all of them. */
function applies({ applies: to, match }) {
  if (to === 'all') return [];
  return [el('p', { class: 'note' }, to === 'none' ? `This limit does not apply to this key. It applies only to ${seen(match)}.` : `Applies only to ${seen(match)}.`)];
}

function verdict(told) {
  const { verdict: is, retryAfterMs: again, asOfMs } = told;
  if (is === 'exempt') return [el('strong', {}, 'Exempt'), ': events are neither counted nor limited.'];
  if (is === 'denied') return blocked(told);
  if (is === 'allowed') return [el('strong', {}, 'Allowed'), `: ${left(told)}.`];
  const closed = told.closedUntilMs === undefined ? null : `closed until ${clock(told.closedUntilMs)}`;
  if (is === 'delayed' && told.pauses) return [el('strong', {}, 'Delayed'), `: ${paused(told.pauses)}.`];
  if (is === 'delayed' && closed) return [el('strong', {}, 'Delayed'), `: ${closed}, and a new event would wait ${wait(again)}.`];
  if (is === 'delayed') return [el('strong', {}, 'Delayed'), `: all ${count(most(told))} are used, and a new event would wait ${wait(again)}.`];
  const when = again === null ? 'The time of the next allowed event is unknown' : `The next event is allowed in ${wait(again)}, at ${clock(asOfMs + again)}`;
  const used = told.blockedUntilMs === null ? `all ${count(most(told))} are used` : 'blocked after it exceeded the limit';
  const why = closed ?? used;
  return [el('strong', {}, 'Rejected'), `: ${why}. `, el('strong', {}, `${when}.`)];
}

/** Describes the pauses of a key by the one that ends last. */
function paused(pauses) {
  const known = pauses.every((each) => each.untilMs !== undefined);
  return `paused until ${known ? clock(Math.max(...pauses.map((each) => each.untilMs))) : 'it is resumed'}`;
}

/** Describes a block: its end, author and reason, from the revision that began last. */
function blocked({ blockedUntilMs, revisions }) {
  const { by, note } = revisions[revisions.length - 1] || {};
  const who = by ? ` by ${seen(by)}` : '';
  const until = blockedUntilMs === null ? '' : ` until ${clock(blockedUntilMs)}`;
  return [el('strong', {}, 'Blocked'), until, who, note ? `: ${seen(note)}` : ''];
}

function rows(told) {
  const { quota, waiting, answeredBy } = told;
  const period = quota.period ? `a ${quota.period} (${quota.zone})` : `in ${wait(quota.periodMs)}`;
  const says = { file: 'from the file', revision: 'from a change for all keys', override: 'from a change for this key only' }[told.because] || told.because;
  const rows = [
    ['Left', left(told)],
    ['Limit', `${count(quota.permits)} ${period}, ${says}`],
  ];
  if (told.resetAfterMs > 0) rows.push(['Fully reset', `in ${wait(told.resetAfterMs)}`]);
  if (waiting && waiting.count > 0) {
    rows.push(['Waiting', waits(waiting)]);
  }
  if (answeredBy.behind !== null) rows.push(['Source', `a copy of the state, ${count(answeredBy.behind)} changes behind`]);
  return rows;
}

/** Describes the waiting events of a key. Events in line have no reserved time, so that of the next release is an estimate. */
function waits({ count: all, more, nextReleaseMs, estimate, oldestMs, before }) {
  const number = `${count(all)}${more ? ' or more' : ''}`;
  if (!estimate) return `${number}, the next is due at ${clock(nextReleaseMs)}`;
  const others = before > 0 ? `, after ${count(before)} others` : '';
  if (nextReleaseMs === null) return `${number} in line, the first since ${clock(oldestMs)}`;
  return `${number} in line, the first since ${clock(oldestMs)}; it leaves at about ${clock(nextReleaseMs)} (an estimate)${others}`;
}

const most = ({ quota, remaining, used }) => (used === null ? quota.burst ?? quota.permits : used + remaining);

const left = (told) => `${count(told.remaining)} of ${count(most(told))} left`;

/** Describes a revision in force: its time, scope, author and note. */
function reason({ id, sinceMs, untilMs, by, note, ...rest }) {
  const parts = [`Change ${shortId(id)}: since ${time(sinceMs)}`];
  if (untilMs !== null) parts.push(`until ${time(untilMs)}`);
  if (rest.for) parts.push(`for ${seen(rest.for)}`);
  if (by) parts.push(`by ${seen(by)}`);
  return parts.join(', ') + (note ? `. ${seen(note)}` : '');
}

/** Formats a time of day, with the date unless it is today. */
function clock(ms) {
  const [day, hour] = time(ms).split(' ');
  return day === time(Date.now()).split(' ')[0] ? hour : `${day} ${hour}`;
}

