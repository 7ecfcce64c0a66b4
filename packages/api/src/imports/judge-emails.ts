import type { Known } from './find-records.ts';
import { addIssue, type ImportCandidate } from './row-as-read.ts';

/**
 * Rejects records whose email address is in use by another record once all are written. A record of the call that has
 * the address until now, and gets a different one or none, gives it up.
 */
export function checkEmails(
  candidates: readonly ImportCandidate[],
  known: readonly Known[],
  table: string,
): void {
  const changing = candidates.flatMap((candidate, place) => {
    const { match, isSuperseded, fields } = candidate;
    if (match === undefined || isSuperseded || fields.email === undefined) return [];
    return [[match.id, { candidate, email: known[place]?.foldedEmail ?? null }] as const];
  });
  // Of two that lead to one record the first counts, because the other is rejected.
  const byRecord = new Map(changing.toReversed());
  for (const [place, candidate] of candidates.entries()) {
    const { foldedEmail = null, emailHolder = null, emailSurvivor = null } = known[place] ?? {};
    if (foldedEmail === null || emailHolder === candidate.id) continue;
    const giver = byRecord.get(emailHolder ?? '');
    const isGiven = giver !== undefined && giver.email !== foldedEmail;
    const holder = emailHolder === null || isGiven ? emailSurvivor : emailHolder;
    if (isGiven) candidate.emailGiver = giver.candidate;
    if (holder === null || holder === candidate.id) continue;
    const detail = `is already in use by another ${table}`;
    addIssue(candidate, 'email', { errorCode: 'email_taken', code: 'taken', detail });
  }
}
