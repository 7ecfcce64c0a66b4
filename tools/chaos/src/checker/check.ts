import { checkAcknowledged } from './acknowledged.ts';
import { checkConditions } from './conditions.ts';
import type { Evidence, Finding } from './evidence.ts';
import { checkFollowers, checkPositions, checkTables } from './feed.ts';
import { checkJobs } from './jobs.ts';
import { checkMerges } from './merges.ts';
import { checkOnce } from './once.ts';
import { checkRealTime } from './real-time.ts';
import { checkLife, checkResponses } from './responses.ts';
import { checkSchedules } from './schedules.ts';
import { checkReplacements, checkServed } from './served.ts';
import { checkVersions } from './versions.ts';
import { checkWebhooks } from './webhooks.ts';

/** Every promise the suite knows of, with the check that holds it against what happened. */
const checks: Record<string, (evidence: Evidence) => Iterable<Finding>> = {
  'no acknowledged write is lost': checkAcknowledged,
  'no write happens twice, no rejected one at all': checkOnce,
  'each scheduled change happens once, or fails visibly': checkSchedules,
  'a job changes each of its records once, and ends': checkJobs,
  'a merge is kept, and one that was undone is back': checkMerges,
  'the versions of each record are gapless and linear': checkVersions,
  'every read sees what was answered before it began': checkRealTime,
  'conflicts of If-Match are true ones': checkConditions,
  'the log is complete and in order': checkPositions,
  'the log applied from its start equals the tables': checkTables,
  'a follower of the stream misses nothing, and never moves back': checkFollowers,
  'webhooks receive every event, signed, in order': checkWebhooks,
  'no response of the class 5xx but 503 with Retry-After': checkResponses,
  'good callers are served while a hostile caller attacks': checkServed,
  'no request fails while one server is replaced': checkReplacements,
  'nothing ends by itself or stays unavailable': checkLife,
};

/** What became of a promise: how many things were looked at, and each that is not as promised, in words. */
export interface Verdict {
  promise: string;
  count: number;
  broken: string[];
}

/** Holds every promise against what happened. */
export function checkAll(evidence: Evidence): Verdict[] {
  return Object.entries(checks).map(([promise, check]) => {
    const findings = [...check(evidence)];
    return { promise, count: findings.length, broken: findings.flatMap((finding) => finding ?? []) };
  });
}
