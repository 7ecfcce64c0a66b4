import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import { type Attempt, type Collection, collections, type Verb, verbWeights } from '../history.ts';
import type { Random } from '../random.ts';
import type { Known } from './known.ts';

/** What is decided of an attempt before it is made. */
type Asked = Pick<
  Attempt,
  'operation' | 'verb' | 'collection' | 'record' | 'duplicate' | 'ifVersion' | 'isKeyed'
>;

/** Something a client wants done, which it may have to ask for more than once. */
export interface Operation extends Asked {
  method: string;
  path: string;
  body?: object | undefined;
}

const verbs = Object.keys(verbWeights) as Verb[];
/** What creates and updates carry an Idempotency-Key, and how many name the version they change. */
const KEYED = 0.85;
const CONDITIONAL = 0.4;
const CASCADE = 0.3;
const LIST_MAX = 20;
/** How far ahead a change is scheduled. */
const AHEAD_MS = { least: 500, most: 8_000 };
/** The most items of a list that refer to records. */
const ITEMS_MAX = 3;

/** Which records an operation is about, if not any. */
const AMONG: Partial<Record<Verb, 'deleted' | 'merged'>> = { restore: 'deleted', unmerge: 'merged' };

export interface Deciding {
  random: Random;
  known: Known;
}

/** The texts that a new record needs, the record that it belongs to, and items of lists that refer to records. */
function bodyOfNew(collection: Collection, operation: string, { random, known }: Deciding): object {
  const { fields, nameParts = [], parentField, itemRows } = records[collection];
  const needed = fields.filter(({ name, isRequired }) => isRequired || nameParts.includes(name));
  const parent = fields.find(({ name }) => name === parentField)?.refersTo as Collection | undefined;
  const above = parent === collection || random.chance(0.5) ? undefined : parent;
  const office = above && known.pick(random, above);
  const { name: list = '', parts = [] } = fields.find(({ name }) => name === itemRows?.field) ?? {};
  const reference = parts.find(({ refersTo }) => refersTo !== undefined);
  const picked = Array.from({ length: reference === undefined ? 0 : random.between(0, ITEMS_MAX) }, () =>
    known.pick(random, reference?.refersTo as Collection),
  );
  const ids = new Set(picked.flatMap((item) => item?.id ?? []));
  return {
    ...Object.fromEntries(needed.map(({ name }) => [name, `${name} ${operation}`])),
    metadata: { operation },
    ...(office && parentField && { [parentField]: office.id }),
    ...(reference && { [list]: [...ids].map((id) => ({ [reference.name]: id })) }),
  };
}

/** A change of a record that happens in some seconds; if the request takes longer than that, it happens at once. */
function scheduled(collection: Collection, { random, known }: Deciding) {
  const effectiveAt = new Date(Date.now() + random.between(AHEAD_MS.least, AHEAD_MS.most)).toISOString();
  const canMove = `${collection}.transfer` in operations;
  const office = canMove ? known.pick(random, 'offices') : undefined;
  const change = random.pick(['deactivate', 'reactivate', ...(office ? ['transfer'] : [])]);
  return { change, body: { effectiveAt, ...(change === 'transfer' && { officeId: office?.id }) } };
}

type Target = { id: string; version: number };

/** What is asked of a record. */
function requestFor({ operation, verb, collection }: Asked, { id, version }: Target, deciding: Deciding) {
  const { random, known } = deciding;
  const path = `/${collection}/${id}`;
  const ifVersion = random.chance(CONDITIONAL) ? version : undefined;
  const isKeyed = random.chance(KEYED);
  if (verb === 'delete') return { method: 'DELETE', path, ifVersion };
  if (verb === 'update') {
    const body = { metadata: { operation }, phoneExt: String(random.between(0, 999_999)) };
    return { method: 'PATCH', path, ifVersion, isKeyed, body };
  }
  if (verb === 'merge') {
    const duplicate = known.pick(random, collection)?.id;
    const body = { duplicateId: duplicate };
    if (duplicate !== id)
      return { duplicate, method: 'POST', path: `${path}/merge`, ifVersion, isKeyed, body };
  }
  if (verb === 'merge' || verb === 'get') return { verb: 'get' as const, method: 'GET', path };
  // No transition names a version: a repeated one is answered whatever the version, which would prove nothing.
  if (verb === 'schedule') {
    const { change, body } = scheduled(collection, deciding);
    return { method: 'PUT', path: `${path}/${change}`, body };
  }
  const takesOthers = operations[`${collection}.${verb}`]?.fields.some(({ name }) => name === 'cascade');
  const isCascade = verb === 'deactivate' && takesOthers && random.chance(CASCADE);
  return { method: 'PUT', path: `${path}/${verb}`, body: isCascade ? { cascade: true } : undefined };
}

/** The next thing a client does. */
export function decide(operation: string, deciding: Deciding): Operation {
  const { random, known } = deciding;
  const collection = random.pick(collections);
  const wished = random.weighted(verbs, (verb) => verbWeights[verb]);
  // Not every resource has merges.
  const verb = wished.endsWith('merge') && !(`${collection}.${wished}` in operations) ? 'get' : wished;
  const one = { operation, verb, collection, isKeyed: false };
  if (verb === 'list') {
    const sort = random.pick(['-createdAt', '-updatedAt', records[collection].nameSort]);
    const path = `/${collection}?limit=${random.between(1, LIST_MAX)}&sort=${sort}`;
    return { ...one, method: 'GET', path };
  }
  const target = verb === 'create' ? undefined : known.pick(random, collection, AMONG[verb]);
  if (target !== undefined) return { ...one, record: target.id, ...requestFor(one, target, deciding) };
  const body = bodyOfNew(collection, operation, deciding);
  const isKeyed = random.chance(KEYED);
  return { ...one, verb: 'create', isKeyed, method: 'POST', path: `/${collection}`, body };
}
