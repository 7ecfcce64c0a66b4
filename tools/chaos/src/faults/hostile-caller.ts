import { type AttackName, attackNames, runAttacks } from '../attacks/attacks.ts';
import { prepareAttacks } from '../attacks/preparation.ts';
import { type Fault, indexOf, inSeconds } from './fault.ts';
import type { PlannedFault } from './plan.ts';

/** A balancer here takes 400 connections, most of which are for others. */
const SCALE = 0.1;
const PATIENCE_MS = 60_000;
/** An attack is longer than most faults, because what it holds is held for seconds. */
const LENGTH = 2;
const AT_ONCE = 4;

/** All attacks, or some that follow each other in the list. */
function namesFor(planned: PlannedFault): AttackName[] {
  if (planned.isForAll) return [...attackNames];
  const first = indexOf(planned, attackNames.length);
  return [...attackNames, ...attackNames].slice(first, first + AT_ONCE);
}

/** One caller with valid keys attacks the deployment in several ways at once. Nothing is broken by it. */
export const hostileCaller: Fault = {
  touches: () => ['hostile caller'],
  run: async (planned, { balancer, key }) => {
    const { port } = balancer;
    await using preparation = await prepareAttacks({ port, key, patienceMs: PATIENCE_MS });
    const { keys, webhookIds } = preparation;
    const names = namesFor(planned);
    const holdMs = planned.holdMs * LENGTH;
    await runAttacks(names, { port, keys, webhookIds, scale: SCALE, signal: AbortSignal.timeout(holdMs) });
    await preparation.removeWebhooks();
    return `${names.join(', ')} for ${inSeconds(holdMs)}`;
  },
};
