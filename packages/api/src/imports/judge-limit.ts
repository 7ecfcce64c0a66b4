import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { ImportDefinition } from './definitions.ts';
import { findReferences, type HeldReferences } from './find-records.ts';
import { addIssue, type ImportCandidate, type RecordIssue, sourceText } from './row-as-read.ts';

interface Limited {
  definition: ImportDefinition;
  limit: OfficeLimit;
}

/**
 * Rejects records that would be outside the office limit. An existing reference of a record may lead outside it, so its issue is removed.
 */
export async function checkLimit(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  { definition, limit }: Limited,
): Promise<void> {
  await allowHeldReferences(trx, candidates, definition);
  for (const candidate of candidates) {
    if (candidate.issues.length > 0 || !isOutOfLimit(candidate, { definition, limit })) continue;
    const detail = 'must be one of the offices your access is restricted to';
    addIssue(candidate, definition.officeField ?? [], {
      errorCode: 'insufficient_scope',
      code: 'not_allowed',
      detail,
    });
  }
}

/** Whether a record would be in no office, and so out of the limit. A granted office is within it without a main office. */
function isOutOfLimit(
  { office, fields, match }: ImportCandidate,
  { definition: { officeField, resource }, limit }: Limited,
): boolean {
  if (office !== undefined) return false;
  if (match === undefined) return true;
  const isCleared = officeField !== undefined && officeField in fields && match.officeId !== null;
  return isCleared && !(resource.limit?.column === 'id' && limit.granted.includes(match.id));
}

async function allowHeldReferences(
  trx: Transaction<Database>,
  candidates: ImportCandidate[],
  definition: ImportDefinition,
): Promise<void> {
  const doubtful = candidates.filter(({ issues, match }) => match && issues.some(({ absent }) => absent));
  if (doubtful.length === 0) return;
  const ids = doubtful.flatMap(({ match }) => match?.id ?? []);
  const byId = new Map((await findReferences(trx, ids, definition)).map((held) => [held.id, held]));
  const { officeField } = definition;
  for (const candidate of doubtful) {
    const held = byId.get(candidate.match?.id ?? '');
    if (held === undefined) continue;
    candidate.issues = candidate.issues.filter(({ absent }) => {
      const isAllowed = absent !== undefined && isHeld(absent, held, definition);
      if (isAllowed && typeof absent.of === 'object' && officeField !== undefined)
        candidate.fields[officeField] = held.references[officeField];
      return !isAllowed;
    });
  }
}

/** Whether a record refers to something already, by the same id or by the source of its office. */
function isHeld(
  { field, of }: NonNullable<RecordIssue['absent']>,
  { references, officeSource }: HeldReferences,
  { officeField }: ImportDefinition,
): boolean {
  if (typeof of === 'string') return references[field] === of;
  if (of.id !== undefined) return officeField !== undefined && references[officeField] === of.id;
  return (
    of.source !== undefined && officeSource !== null && sourceText(of.source) === sourceText(officeSource)
  );
}
