import { checkAcknowledged } from './acknowledged.ts';
import { checkAnswers, checkLife } from './answers.ts';
import { checkConditions } from './conditions.ts';
import type { Evidence, Verdict } from './evidence.ts';
import { checkFollowers, checkPositions, checkTables } from './feed.ts';
import { checkJobs } from './jobs.ts';
import { checkMerges } from './merges.ts';
import { checkOnce } from './once.ts';
import { checkRealTime } from './real-time.ts';
import { checkSchedules } from './schedules.ts';
import { checkReplacements, checkServed } from './served.ts';
import { checkVersions } from './versions.ts';
import { checkWebhooks } from './webhooks.ts';

/** Every promise the suite knows of, held against what happened. */
export function checkAll(evidence: Evidence): Verdict[] {
  return [
    checkAcknowledged(evidence),
    checkOnce(evidence),
    checkSchedules(evidence),
    checkJobs(evidence),
    checkMerges(evidence),
    checkVersions(evidence),
    checkRealTime(evidence),
    checkConditions(evidence),
    checkPositions(evidence),
    checkTables(evidence),
    checkFollowers(evidence),
    checkWebhooks(evidence),
    checkAnswers(evidence),
    checkServed(evidence),
    checkReplacements(evidence),
    checkLife(evidence),
  ];
}
