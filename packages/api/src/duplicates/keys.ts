import { hash } from 'node:crypto';
import { licenseKey, licenseNumberKey } from '../engine/sameness/licenses.ts';
import type { Profile } from './profile.ts';
import { skeletonOf } from './words.ts';

/** 64 bits for a bigint: unique among the keys of millions of records. */
function hashOf(parts: readonly string[]): string {
  return hash('sha1', parts.join('\0'), 'buffer').readBigInt64BE(0).toString();
}

/** Keys for the whole name and for each of its halves, so that a typo in the other half does not hide it. */
function* nameKeys({ person, names, officeId, city }: Profile): Generator<string[]> {
  if (person === undefined) {
    for (const name of names) {
      const skeletons = name.map(skeletonOf).sort();
      yield ['name', skeletons.join(' ')];
      if (city === '') continue;
      for (const skeleton of skeletons) if (skeleton.length >= 3) yield ['city', city, skeleton];
    }
    return;
  }
  const { given, otherGiven, family } = person;
  const last = family.slice(-1);
  const called = [...given.slice(0, 1), ...otherGiven.slice(-1)];
  for (const name of called) yield ['name', [name, ...last].map(skeletonOf).sort().join(' ')];
  if (called.length === 0) for (const name of last) yield ['name', skeletonOf(name)];
  if (officeId === undefined) return;
  const parts = new Set([...called, ...given, ...family].map(skeletonOf));
  for (const part of parts) if (part.length >= 2) yield ['office', officeId, part];
}

function* keyTexts(profile: Profile): Generator<string[]> {
  for (const telephone of profile.telephones) yield ['telephone', telephone];
  for (const email of profile.emails) yield ['email', email];
  // Only one of the two records may have the region.
  for (const license of profile.licenses) {
    yield ['license', licenseNumberKey(license.number)];
    yield ['license', licenseKey(license)];
  }
  for (const [field, number] of profile.numbers) yield ['number', field, number];
  const { source } = profile;
  if (source !== undefined && source.key !== '') yield ['source', source.key];
  yield* nameKeys(profile);
}

/** Kinds that say little alone: records that are the same share another key. */
const weakKinds = new Set(['name', 'office', 'city']);

export type Strength = 'strong' | 'weak' | 'telephone';

function strengthOf([kind = '']: readonly string[]): Strength {
  if (kind === 'telephone') return kind;
  return weakKinds.has(kind) ? 'weak' : 'strong';
}

/** Records are compared only if they share a strong key or two weak ones. Scopes share no keys. */
export function keysOf(scope: string, profile: Profile): Map<string, Strength> {
  return new Map(Array.from(keyTexts(profile), (key) => [hashOf([scope, ...key]), strengthOf(key)] as const));
}

export function telephoneKey(scope: string, telephone: string): string {
  return hashOf([scope, 'telephone', telephone]);
}
