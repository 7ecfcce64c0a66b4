import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { isSameLicense } from '../engine/sameness/keys.ts';
import type { ImportDefinition } from './definitions.ts';
import { addIssue, type JudgedRow } from './rows.ts';

type License = { number: string; region: string | null } & Partial<Record<string, string | null>>;

/**
 * Turns a licence that a row has columns for, `{"licenses": {"0": {"number": "A1"}}}`, into a list, and returns the names of its parts;
 * undefined for any other record.
 */
export function takeLicense(record: Record<string, unknown>): readonly string[] | undefined {
  const { licenses } = record;
  if (typeof licenses !== 'object' || licenses === null || Array.isArray(licenses)) return undefined;
  const { 0: license, ...others } = licenses as Record<string, unknown>;
  if (typeof license !== 'object' || license === null || Object.keys(others).length > 0) return undefined;
  record.licenses = [license];
  return Object.keys(license);
}

/** Changes the parts of the licence with the number of a given one, or adds that; the other licences stay. */
function withLicense(held: readonly License[], given: License, parts: readonly string[]): License[] {
  const same = held.find((license) => isSameLicense(license, given));
  if (same === undefined) return [...held, given];
  const changes = Object.fromEntries(parts.map((part) => [part, given[part] ?? null])) as Partial<License>;
  return held.with(held.indexOf(same), { ...same, ...changes });
}

/** Puts the licence of each row among those of its existing record, which is locked. */
export async function keepLicenses(
  trx: Transaction<Database>,
  rows: readonly JudgedRow[],
  { resource: { table, fields } }: Pick<ImportDefinition, 'resource'>,
): Promise<void> {
  const changed = rows.filter(
    ({ facts, match, issues }) => facts.licenseParts !== undefined && match !== null && issues.length === 0,
  );
  if (changed.length === 0) return;
  const ids = changed.map(({ match }) => match?.id);
  const { rows: found } = await sql<{ id: string; licenses: License[] }>`
    select id, licenses from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(trx);
  const heldBy = new Map(found.map(({ id, licenses }) => [id, licenses]));
  const countMax = Number(fields.licenses?.output.meta()?.maxItems);
  for (const row of changed) {
    const { match, facts, fields: own } = row;
    const [given] = own.licenses as License[];
    if (given === undefined) continue;
    const licenses = withLicense(heldBy.get(match?.id ?? '') ?? [], given, facts.licenseParts ?? []);
    own.licenses = licenses;
    if (licenses.length > countMax) {
      const detail = `must hold at most ${countMax} items, including existing items`;
      addIssue(row, 'licenses', { code: 'too_many', detail });
    }
  }
}
