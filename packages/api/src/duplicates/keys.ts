import { hash } from 'node:crypto';
import { licenseKey, licenseNumberKey } from '../engine/sameness/licenses.ts';
import type { Profile } from './profile.ts';
import { skeletonOf } from './words.ts';

/** A hash of 64 bits, as PostgreSQL has a bigint: one of a kind among the keys of millions of records. */
function hashOf(parts: readonly string[]): string {
  return hash('sha1', parts.join('\0'), 'buffer').readBigInt64BE(0).toString();
}

/** The keys of a name: all of it, and each half of it at one place, so that a typo in the other half does not hide it. */
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
  const last = family.at(-1) ?? '';
  const called = [given[0] ?? '', ...otherGiven.slice(-1)].filter((name) => name !== '');
  for (const name of called) yield ['name', [skeletonOf(name), skeletonOf(last)].sort().join(' ')];
  if (officeId === undefined) return;
  const parts = new Set([...called, ...given, ...family].map(skeletonOf));
  for (const part of parts) if (part.length >= 2) yield ['office', officeId, part];
}

function* keyTexts(profile: Profile): Generator<string[]> {
  for (const telephone of profile.telephones) yield ['telephone', telephone];
  for (const email of profile.emails) yield ['email', email];
  // The region may be known of one of both alone.
  for (const license of profile.licenses) {
    yield ['license', licenseNumberKey(license.number)];
    yield ['license', licenseKey(license)];
  }
  for (const [field, number] of profile.numbers) yield ['number', field, number];
  const { source } = profile;
  if (source !== undefined && source.key !== '') yield ['source', source.key];
  yield* nameKeys(profile);
}

/** The kinds of keys that say little by themselves: two records that are the same have another one in common too. */
const weakKinds = new Set(['name', 'office', 'city']);

/** A key of a record. */
export type Strength = 'strong' | 'weak' | 'telephone';

function strengthOf([kind = '']: readonly string[]): Strength {
  if (kind === 'telephone') return kind;
  return weakKinds.has(kind) ? 'weak' : 'strong';
}

/**
 * The keys of a record, each once with what it says: two records that have none in common are not compared, nor those that have a single weak
 * one. A phone number is weak if many have it. Records of different scopes have none in common.
 */
export function keysOf(scope: string, profile: Profile): Map<string, Strength> {
  return new Map(Array.from(keyTexts(profile), (key) => [hashOf([scope, ...key]), strengthOf(key)] as const));
}

/** The key of a phone number, by which the records with it are counted. */
export function telephoneKey(scope: string, telephone: string): string {
  return hashOf([scope, 'telephone', telephone]);
}
