// Builders of the API requests that change limits.

const path = (limit, act) => `/api/limits/${encodeURIComponent(limit)}${act ? `/${act}` : ''}`;

const forWhom = (scope) => (Object.keys(scope).length > 0 ? { for: scope } : {});

/** Requests that change settings by name; null removes the value that earlier changes have set. */
export function setting(limit, scope, set, when = {}) {
  const back = Object.keys(set).filter((name) => set[name] === null);
  const texts = Object.fromEntries(Object.entries(set).filter(([, text]) => text !== null));
  return [
    ...(Object.keys(texts).length > 0 ? [{ method: 'PUT', path: path(limit), body: { set: texts, ...forWhom(scope), ...when } }] : []),
    ...(back.length > 0 ? [acting(limit, 'clear', scope, { settings: back, ...when })] : []),
  ];
}

export const adding = (limit, set) => ({ method: 'PUT', path: path(limit), body: { add: true, set } });

/** Request for an action on a limit: block, exempt, pause, resume, reset or clear. */
export const acting = (limit, act, scope, more = {}) => ({ method: 'POST', path: path(limit, act), body: { ...forWhom(scope), ...more } });

/** Request that undoes all revisions with these ids, or none. */
export const undoing = (...ids) => ({ method: 'POST', path: '/api/revisions/undo', body: { ids } });
