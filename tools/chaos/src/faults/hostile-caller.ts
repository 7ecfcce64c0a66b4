import { type AttackName, attackNames, runAttacks } from '../attacks/attacks.ts';
import { prepareAttacks } from '../attacks/preparation.ts';
import { type Draw, type Fault, inSeconds } from './fault.ts';

/** A balancer here takes 400 connections, most of which are for others. */
const SCALE = 0.1;
/** An attack is longer than most faults, because what it holds is held for seconds. */
const LENGTH = 2;
const AT_ONCE = 4;

/** All attacks, or some that follow each other in the list. */
function namesFor({ isForAll, which }: Draw): AttackName[] {
  if (isForAll) return [...attackNames];
  const first = Math.floor(which * attackNames.length);
  return [...attackNames, ...attackNames].slice(first, first + AT_ONCE);
}

/** One caller with valid keys attacks the deployment in several ways at once. Nothing is broken by it. */
export const hostileCaller: Fault = {
  weight: 8,
  touches: () => ['hostile caller'],
  run: async (draw, { balancer, client }) => {
    await using preparation = await prepareAttacks(client);
    const { keys, webhookIds } = preparation;
    const names = namesFor(draw);
    const holdMs = draw.holdMs * LENGTH;
    const signal = AbortSignal.timeout(holdMs);
    await runAttacks(names, { port: balancer.port, keys, webhookIds, scale: SCALE, signal });
    await preparation.removeWebhooks();
    return `${names.join(', ')} for ${inSeconds(holdMs)}`;
  },
};
