import { sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import type { Param } from '../sql/column-mapping.ts';

/** The acceptable versions of a record: some or any (If-Match), or any except some (If-None-Match). */
export type Precondition = readonly number[] | 'any' | { except: readonly number[] };

export function allows(versions: Precondition | undefined, version: number): boolean {
  if (versions === undefined || versions === 'any') return true;
  return 'except' in versions ? !versions.except.includes(version) : versions.includes(version);
}

/** Throws `version_conflict`. */
export function checkVersion({ version }: { version: number }, versions: Precondition | undefined): void {
  if (versions === undefined || versions === 'any' || allows(versions, version)) return;
  const asked =
    'except' in versions
      ? 'which If-None-Match names'
      : `not ${versions.join(' or ') || 'the version in If-Match'}`;
  const detail = `The record has version ${version}, ${asked}.`;
  throw new RosterError('version_conflict', detail, { currentVersion: version });
}

export interface VersionCondition {
  kind: 'of' | 'except';
  versions: readonly number[];
}

export function conditionOf(precondition: Precondition | undefined): VersionCondition | undefined {
  if (precondition === undefined || precondition === 'any') return undefined;
  if ('except' in precondition) return { kind: 'except', versions: precondition.except };
  return { kind: 'of', versions: precondition };
}

/** For a statement, with the parameter `expected_versions`. */
export function versionTest(kind: VersionCondition['kind'] | undefined, column: string, param: Param) {
  if (kind === undefined) return sql``;
  const test = kind === 'of' ? sql`= any` : sql`<> all`;
  return sql` and ${sql.ref(column)} ${test}(${param('expected_versions')}::bigint[])`;
}
