import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import { type Collection, collections, type Verb } from '../history.ts';
import type { Random } from '../random.ts';
import type { Known } from './known.ts';

/** Something a client wants done, which it may have to ask for more than once. */
export interface Operation {
  /** Unique in the run. */
  id: string;
  verb: Verb;
  collection: Collection;
  method: string;
  path: string;
  record?: string;
  /** The record that a merge makes a part of that one. */
  duplicate?: string;
  ifVersion?: number;
  /** Whether it carries an Idempotency-Key, and so may be asked for again and again. */
  isKeyed: boolean;
  /** Whether it asks for what is so now; every change does. */
  isLatest: boolean;
  body?: object;
}

const WEIGHTS: Readonly<Record<Verb, number>> = {
  create: 13,
  update: 22,
  deactivate: 4,
  reactivate: 4,
  schedule: 4,
  delete: 3,
  restore: 2,
  merge: 3,
  unmerge: 2,
  get: 42,
  list: 10,
};
/** What creates and updates carry an Idempotency-Key, and how many name the version they change. */
const KEYED = 0.85;
const CONDITIONAL = 0.4;
/** How many reads ask for what is so now, and not for what their client has seen at least. */
const LATEST = 0.2;
const LIST_MAX = 20;
/** How far ahead a change is scheduled. */
const AHEAD_MS = { least: 500, most: 8_000 };

/** The most items of a list that refer to records. */
const ITEMS_MAX = 3;

/** The texts that a new record needs, the record that it belongs to, and items of lists that refer to records. */
function bodyOfNew(collection: Collection, id: string, { random, known }: Deciding): object {
  const { fields, parentField, itemRows } = records[collection];
  const needed = fields.filter(({ isRequired, isReadOnly }) => isRequired && !isReadOnly);
  const parent = fields.find(({ name }) => name === parentField)?.refersTo as Collection | undefined;
  const above = parent === collection || random.chance(0.5) ? undefined : parent;
  const office = above && known.pick(random, above);
  const { parts = [] } = fields.find(({ name }) => name === itemRows?.field) ?? {};
  const reference = parts.find(({ refersTo }) => refersTo !== undefined);
  const items = Array.from({ length: reference === undefined ? 0 : random.between(0, ITEMS_MAX) }, () =>
    known.pick(random, reference?.refersTo as Collection),
  ).flatMap((item) => item?.id ?? []);
  return {
    ...Object.fromEntries(needed.map(({ name }) => [name, `${name} ${id}`])),
    metadata: { operation: id },
    ...(office && { [parentField]: office.id }),
    ...(itemRows &&
      reference && { [itemRows.field]: [...new Set(items)].map((item) => ({ [reference.name]: item })) }),
  };
}

/** What not every resource has. */
const MERGES: ReadonlySet<Verb> = new Set(['merge', 'unmerge']);

/** Which records an operation is about, if not any. */
const AMONG: Partial<Record<Verb, 'deleted' | 'merged'>> = { restore: 'deleted', unmerge: 'merged' };

export interface Deciding {
  random: Random;
  known: Known;
}

/** The next thing a client does. */
export function decide(id: string, deciding: Deciding): Operation {
  const { random, known } = deciding;
  const wished = random.weighted(WEIGHTS);
  const collection = random.pick(collections);
  const verb = MERGES.has(wished) && !(`${collection}.${wished}` in operations) ? 'get' : wished;
  const isLatest = (verb !== 'get' && verb !== 'list') || random.chance(LATEST);
  const one = { id, verb, collection, isKeyed: false, isLatest };
  if (verb === 'list') return { ...one, method: 'GET', path: listOf(collection, random) };
  const target = verb === 'create' ? undefined : known.pick(random, collection, AMONG[verb]);
  if (target === undefined) {
    const body = bodyOfNew(collection, id, deciding);
    const isKeyed = random.chance(KEYED);
    return { ...one, isLatest: true, verb: 'create', method: 'POST', path: `/${collection}`, isKeyed, body };
  }
  const aimed = { ...one, record: target.id };
  if (verb === 'schedule') return schedule(aimed, deciding);
  const other = verb === 'merge' ? known.pick(random, collection) : undefined;
  if (other !== undefined && other.id !== target.id) return merge(aimed, target.version, other.id, random);
  return about({ ...aimed, verb: verb === 'merge' ? 'get' : verb }, target.version, random);
}

/** A change of a record that happens in some seconds; if the request takes longer than that, it happens at once. */
function schedule(one: Aimed, { random, known }: Deciding): Operation {
  const effectiveAt = new Date(Date.now() + random.between(AHEAD_MS.least, AHEAD_MS.most)).toISOString();
  const canMove = `${one.collection}.transfer` in operations;
  const office = canMove ? known.pick(random, 'offices') : undefined;
  const changes = ['deactivate', 'reactivate', ...(office === undefined ? [] : ['transfer'])];
  const change = random.pick(changes);
  const body = { effectiveAt, ...(change === 'transfer' && { officeId: office?.id }) };
  return { ...one, method: 'PUT', path: `/${one.collection}/${one.record}/${change}`, body };
}

function listOf(collection: Collection, random: Random): string {
  const sort = random.pick(['-createdAt', '-updatedAt', records[collection].nameSort]);
  return `/${collection}?limit=${random.between(1, LIST_MAX)}&sort=${sort}`;
}

/** A merge, by the default of each field. */
function merge(one: Aimed, version: number, duplicate: string, random: Random): Operation {
  return {
    ...one,
    duplicate,
    ...(random.chance(CONDITIONAL) && { ifVersion: version }),
    method: 'POST',
    path: `/${one.collection}/${one.record}/merge`,
    isKeyed: random.chance(KEYED),
    body: { duplicateId: duplicate },
  };
}

type Aimed = Pick<Operation, 'id' | 'verb' | 'collection' | 'isKeyed' | 'isLatest'> & { record: string };

function about(one: Aimed, version: number, random: Random): Operation {
  const path = `/${one.collection}/${one.record}`;
  if (one.verb === 'get') return { ...one, method: 'GET', path };
  // No transition names a version: a repeated one is answered whatever the version, which would prove nothing.
  const condition = random.chance(CONDITIONAL) ? { ifVersion: version } : {};
  if (one.verb === 'delete') return { ...one, ...condition, method: 'DELETE', path };
  if (one.verb === 'update') {
    const body = { metadata: { operation: one.id }, phoneExt: String(random.between(0, 999_999)) };
    return { ...one, ...condition, method: 'PATCH', path, isKeyed: random.chance(KEYED), body };
  }
  const takesOthers = operations[`${one.collection}.${one.verb}`]?.fields.some(
    ({ name }) => name === 'cascade',
  );
  const isCascade = one.verb === 'deactivate' && takesOthers === true && random.chance(0.3);
  return {
    ...one,
    method: 'PUT',
    path: `${path}/${one.verb}`,
    ...(isCascade && { body: { cascade: true } }),
  };
}
