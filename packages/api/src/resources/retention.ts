const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long deleted records, events and finished deliveries are kept, seen from now. */
export interface Retention {
  now: Date;
  retentionDays: number;
}

/** What ended at this time or before has been kept for its time. */
export function retentionEnd({ now, retentionDays }: Retention): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}
