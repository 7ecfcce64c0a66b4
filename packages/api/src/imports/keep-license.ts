import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { isSameLicense } from '../engine/sameness/licenses.ts';
import type { ImportDefinition } from './definitions.ts';
import { addIssue, type ImportCandidate } from './row-as-read.ts';

type License = { number: string; region: string | null } & Partial<Record<string, string | null>>;

/**
 * Takes the licence out of the record of a row with columns for the parts of one, `{"licenses": {"0": {"number": "A1"}}}`, and returns
 * the names of these parts; undefined for any other record.
 */
export function takeLicense(record: Record<string, unknown>): readonly string[] | undefined {
  const { licenses } = record;
  if (typeof licenses !== 'object' || licenses === null || Array.isArray(licenses)) return undefined;
  const { 0: license, ...others } = licenses as Record<string, unknown>;
  if (typeof license !== 'object' || license === null || Object.keys(others).length > 0) return undefined;
  record.licenses = [license];
  return Object.keys(license);
}

/** The licences of a record with the one in a row, which changes these parts; the other licences stay. */
function withLicense(held: readonly License[], given: License, parts: readonly string[]): License[] {
  const same = held.find((license) => isSameLicense(license, given));
  if (same === undefined) return [...held, given];
  const changes = Object.fromEntries(parts.map((part) => [part, given[part] ?? null])) as Partial<License>;
  return held.with(held.indexOf(same), { ...same, ...changes });
}

/**
 * Puts the licence in a row among those that its record has: the row changes that of the same number, or adds it. The records are
 * locked.
 */
export async function keepLicenses(
  trx: Transaction<Database>,
  candidates: readonly ImportCandidate[],
  { resource: { table, fields } }: Pick<ImportDefinition, 'resource'>,
): Promise<void> {
  const changed = candidates.filter(
    ({ facts, match, issues }) =>
      facts.licenseParts !== undefined && match !== undefined && issues.length === 0,
  );
  if (changed.length === 0) return;
  const ids = changed.map(({ match }) => match?.id);
  const { rows } = await sql<{ id: string; licenses: License[] }>`
    select id, licenses from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(trx);
  const heldBy = new Map(rows.map(({ id, licenses }) => [id, licenses]));
  const countMax = Number(fields.licenses?.output.meta()?.maxItems);
  for (const candidate of changed) {
    const { match, facts } = candidate;
    const [given] = candidate.fields.licenses as License[];
    if (given === undefined) continue;
    const licenses = withLicense(heldBy.get(match?.id ?? '') ?? [], given, facts.licenseParts ?? []);
    candidate.fields.licenses = licenses;
    if (licenses.length > countMax) {
      const detail = `must hold at most ${countMax} items, including existing items`;
      addIssue(candidate, 'licenses', { code: 'too_many', detail });
    }
  }
}
