import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { findTelephones, hasUnreadTelephones, readTelephones } from '../resources/write/telephones.ts';
import { addIssue, type ImportCandidate } from './candidates.ts';
import type { ImportDefinition } from './resources.ts';

/** Reads the telephones of records. What a record that is there has already stays as it is. */
export async function checkTelephones(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  {
    definition: { resource },
    defaultCountry,
  }: { definition: Pick<ImportDefinition, 'resource'>; defaultCountry: string },
): Promise<void> {
  const unread = candidates.filter(({ fields }) => hasUnreadTelephones(resource, fields));
  const matched = unread.flatMap(({ match }) => match?.id ?? []);
  const stored = matched.length === 0 ? undefined : await findTelephones(trx, resource, matched);
  for (const candidate of unread) {
    const record = candidate.match && stored?.get(candidate.match.id);
    const { input, issues } = readTelephones(resource, candidate.fields, { record, defaultCountry });
    candidate.fields = input;
    for (const { field, ...issue } of issues) addIssue(candidate, field, issue);
  }
}
