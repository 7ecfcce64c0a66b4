import type { NeededRight } from '@roster/api/server';

/** Where the service root is. */
export const ROOT = '/reso';

/** The entity sets, and the scopes that reading and changing them need; undefined for those every caller may read. */
const scopes = {
  Member: { read: 'agents:read', write: 'agents:write' },
  Office: { read: 'offices:read', write: 'offices:write' },
  EntityEvent: { read: 'events:read', write: undefined },
  Lookup: { read: undefined, write: undefined },
  Field: { read: undefined, write: undefined },
} as const;

export type SetName = keyof typeof scopes;
export const setNames = Object.keys(scopes) as SetName[];

/** Whether the records of a set are those of a resource of the API. */
export const isRecordSet = (set: SetName): set is 'Member' | 'Office' => set === 'Member' || set === 'Office';

/** What a path under the service root names (OData URL conventions, section 4). */
export type ResourcePath =
  | { kind: 'service' }
  | { kind: 'metadata' }
  | { kind: 'set'; set: SetName }
  | { kind: 'count'; set: SetName }
  | { kind: 'entity'; set: SetName; key: string }
  | { kind: 'navigation'; set: SetName; key: string; property: string };

/** A set, a key (a text in quotes or a number, with or without its name), and what comes after it. */
const pattern =
  /^\/([A-Za-z]+)(?:\((?:([A-Za-z]+)=)?(?:'([^']*(?:''[^']*)*)'|(\d{1,16}))\))?(?:\/(\$?[A-Za-z]+))?$/;

/** Reads a path, percent-encoded as in the URL; undefined if nothing is there. */
export function resourcePathOf(path: string): ResourcePath | undefined {
  const rest = decoded(path.slice(ROOT.length));
  if (rest === '' || rest === '/') return { kind: 'service' };
  if (rest === '/$metadata') return { kind: 'metadata' };
  const [, name = '', keyName, quoted, number, tail] = pattern.exec(rest ?? '') ?? [];
  const set = setNames.find((one) => one === name);
  if (set === undefined || (keyName !== undefined && keyName !== keyNames[set])) return undefined;
  // The keys of events alone are numbers.
  const key = set === 'EntityEvent' ? number : quoted?.replaceAll("''", "'");
  if (quoted === undefined && number === undefined) {
    if (tail === undefined) return { kind: 'set', set };
    return tail === '$count' ? { kind: 'count', set } : undefined;
  }
  if (key === undefined) return undefined;
  if (tail === undefined) return { kind: 'entity', set, key };
  return tail.startsWith('$') ? undefined : { kind: 'navigation', set, key, property: tail };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The properties that are the keys of the entity sets. */
export const keyNames: Readonly<Record<SetName, string>> = {
  Member: 'MemberKey',
  Office: 'OfficeKey',
  EntityEvent: 'EntityEventSequence',
  Lookup: 'LookupKey',
  Field: 'FieldKey',
};

/** The right that a request needs whatever else it says. */
export function rightFor(method: string, path: ResourcePath | undefined): NeededRight {
  if (path === undefined || !('set' in path)) return { scope: undefined };
  const isRead = method === 'GET' || method === 'HEAD';
  return { scope: scopes[path.set][isRead ? 'read' : 'write'] };
}
