import { sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import type { Param } from '../sql/column-mapping.ts';

/**
 * The acceptable versions of a record: any existing one (`If-Match: *`), these (If-Match), or all except these
 * (If-None-Match).
 */
export interface Precondition {
  kind: 'any' | 'of' | 'except';
  versions: readonly number[];
}

export const ofVersion = (version: number): Precondition => ({ kind: 'of', versions: [version] });

function allows({ kind, versions }: Precondition, version: number): boolean {
  return kind === 'any' || versions.includes(version) === (kind === 'of');
}

interface Asked {
  request: { precondition: () => Precondition | undefined; isVersionRequired: boolean };
}

/**
 * The precondition of a call, by its headers or, in RPC, the `ifVersion` of its input; both must hold. Throws
 * `version_required`, unless the version is optional.
 */
export function preconditionOf(
  { request }: Asked,
  { ifVersion }: { ifVersion?: number | undefined },
  { isOptional = false } = {},
): Precondition | undefined {
  const asked = request.precondition();
  if (ifVersion !== undefined)
    return asked === undefined || allows(asked, ifVersion)
      ? ofVersion(ifVersion)
      : { kind: 'of', versions: [] };
  // `If-None-Match` excludes versions, and so names none.
  const isNamed = asked !== undefined && asked.kind !== 'except';
  if (!isNamed && request.isVersionRequired && !isOptional)
    throw new RosterError('version_required', 'The request names no version of the record.');
  return asked;
}

/** Throws `version_conflict`. */
export function checkVersion({ version }: { version: number }, precondition: Precondition | undefined): void {
  if (precondition === undefined || allows(precondition, version)) return;
  const { kind, versions } = precondition;
  const asked =
    kind === 'except'
      ? 'which If-None-Match names'
      : `not ${versions.join(' or ') || 'the version in If-Match'}`;
  const detail = `The record has version ${version}, ${asked}.`;
  throw new RosterError('version_conflict', detail, { currentVersion: version });
}

/** For a statement, with the parameter `expected_versions`. */
export function versionTest(kind: Precondition['kind'] | undefined, column: string, param: Param) {
  if (kind === undefined || kind === 'any') return sql``;
  const test = kind === 'of' ? sql`= any` : sql`<> all`;
  return sql` and ${sql.ref(column)} ${test}(${param('expected_versions')}::bigint[])`;
}
