import type { EntitySet } from './sets.ts';

/** The resource that a path under the service root names (OData URL conventions, section 4). */
export type ResourcePath =
  | { kind: 'service' }
  | { kind: 'metadata' }
  | { kind: 'set'; set: EntitySet }
  | { kind: 'count'; set: EntitySet }
  | { kind: 'entity'; set: EntitySet; key: string }
  | { kind: 'navigation'; set: EntitySet; key: string; property: string };

/** A set, a key (a text in quotes or a number, with or without its name), and what comes after it. */
const pattern =
  /^\/([A-Za-z]+)(?:\((?:([A-Za-z]+)=)?(?:'([^']*(?:''[^']*)*)'|(\d{1,16}))\))?(?:\/(\$?[A-Za-z]+))?$/;

/** Reads a path under the service root, percent-encoded as in the URL; undefined if nothing is there. */
export function parsePath(path: string, sets: readonly EntitySet[]): ResourcePath | undefined {
  const text = decoded(path);
  if (text === '' || text === '/') return { kind: 'service' };
  if (text === '/$metadata') return { kind: 'metadata' };
  const [, name = '', keyName, quoted, number, tail] = pattern.exec(text ?? '') ?? [];
  const set = sets.find((one) => one.name === name);
  if (set === undefined || (keyName !== undefined && keyName !== set.key)) return undefined;
  const key = set.isNumbered ? number : quoted?.replaceAll("''", "'");
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
