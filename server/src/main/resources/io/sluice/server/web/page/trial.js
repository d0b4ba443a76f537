// Trial of a change: a changed copy of a limit in shadow mode, beside the original limit. The browser stores nothing: a
// trial is recognized by its name and its state on the server.
import { ask } from './dom.js';
import { adding, setting, undoing } from './requests.js';

const SUFFIX = '-try';
const NOT_COPIED = ['enabled', 'verdict'];
const NOT_COMPARED = [...NOT_COPIED, 'mode'];

export const nameOf = (limit) => limit + SUFFIX;

/** Whether a limit is a trial: in shadow mode, changed by revisions, and named after an existing limit. */
export const isTrial = (limit, limits) => limit.mode === 'shadow' && limit.revisions.length > 0 && originalOf(limit, limits) !== undefined;

const originalOf = (trial, limits) => limits.find((each) => nameOf(each.limit) === trial.limit);

/** Returns the trials in force by the name of the original limit, each with its changed settings and scope. */
export function trials(limits) {
  const found = new Map();
  for (const trial of limits.filter((each) => isTrial(each, limits))) {
    const original = originalOf(trial, limits);
    found.set(original.limit, { original, trial, ...difference(original, trial), sinceMs: sinceMs(trial) });
  }
  return found;
}

const sinceMs = (trial) => Math.min(...trial.revisions.map((each) => each.sinceMs));

function difference(original, trial) {
  const set = {};
  const scope = {};
  for (const name of new Set([...Object.keys(original.settings), ...Object.keys(trial.settings)])) {
    if (NOT_COMPARED.includes(name)) continue;
    const before = original.settings[name];
    const after = trial.settings[name];
    const field = name.startsWith('match.') ? name.slice(6) : '';
    if (before === undefined && original.key.includes(field)) scope[field] = valueOf(after);
    else if (before !== after) set[name] = after ?? null;
  }
  return { set, scope };
}

/** Requests that start a trial. They end an earlier trial first, since settings of revisions add up. */
export async function beginning(original, scope, change) {
  const empty = Object.keys(change).filter((name) => change[name] === null);
  if (empty.length > 0) throw new Error(`a trial needs a value for ${empty.join(', ')}`);
  const set = { ...original.settings, ...change };
  for (const name of NOT_COPIED) delete set[name];
  for (const [field, value] of Object.entries(scope)) {
    if (`match.${field}` in set) throw new Error(`${original.limit} already has the setting match.${field}, so a trial for one ${field} is not possible`);
    set[`match.${field}`] = textOf(field, value);
  }
  const name = nameOf(original.limit);
  return [...(await ending(name)), adding(name, { ...set, mode: 'shadow' })];
}

/** Requests that end a trial by undoing its revisions, so that none of its settings are left for the next trial. */
export async function ending(name) {
  const { revisions } = await ask(`/api/history?limit=${encodeURIComponent(name)}`);
  const ids = revisions
    .filter((each) => each.revision?.limit === name && /^(in force|planned)$/.test(each.standing))
    .map((each) => each.revision.id);
  return ids.length > 0 ? [undoing(...ids)] : [];
}

/** Requests that apply a trial's change to the original limit and end the trial. */
export async function realizing({ original, trial, set, scope }) {
  return [...setting(original.limit, scope, set), ...(await ending(trial.limit))];
}

/** Escapes a field's value for a match setting, in which commas, asterisks and exclamation marks have a meaning. */
function textOf(field, value) {
  if (value.trim() !== value || value === '') throw new Error(`a trial is not possible for a ${field} that is empty, or begins or ends with a space`);
  return value.replace(/[,*!]/g, '\\$&');
}

const valueOf = (text) => text.replace(/\\([,*!])/g, '$1');
