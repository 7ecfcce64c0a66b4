import { parentPort, workerData } from 'node:worker_threads';
import { type AttackName, type AttackOptions, runAttacks } from './attacks.ts';

/**
 * The attackers, on a thread of their own, so that what they do does not delay the callers whose responses are timed. The
 * thread begins when it starts, ends the attacks when it is sent anything, and returns what each attacker got.
 */
export interface AttackersData extends Omit<AttackOptions, 'signal'> {
  names: AttackName[];
}

const { names, ...options } = workerData as AttackersData;
const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
const outcomes = await runAttacks(names, { ...options, signal: stopping.signal });
parentPort?.postMessage(outcomes);
