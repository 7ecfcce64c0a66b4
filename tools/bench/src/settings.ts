import { parseArgs } from 'node:util';
import { type PinningName, pinningNamed } from '../../harness/src/cpu.ts';
import { type Work, works } from '../../harness/src/directory/operations.ts';
import { type Contestant, contestants, REFERENCE } from './contestants.ts';

/** What a run is asked for on the command line; README.md lists it. */
export interface Settings {
  rounds: number;
  /** Of each contestant at each work, in each round. */
  turns: number;
  /** Of a turn. */
  seconds: number;
  latencyRounds: number;
  latencySeconds: number;
  /** Before the first turn of each contestant at each work. */
  warmUpSeconds: number;
  connections: number;
  agents: number;
  pin: PinningName;
  contestants: Contestant[];
  works: Work[];
  /** Whether Roster answers 500,000 requests before its memory is read. */
  isFilled: boolean;
  isAsserted: boolean;
  /** Whether the report becomes the page docs/benchmark, with its plots. */
  isPublished: boolean;
  /** Where to leave a profile of ours; undefined takes none. */
  profile: string | undefined;
}

const options = {
  rounds: { type: 'string', default: '7' },
  turns: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '0.2' },
  'latency-rounds': { type: 'string', default: '3' },
  'latency-seconds': { type: 'string', default: '1' },
  'warm-up': { type: 'string', default: '3' },
  connections: { type: 'string', default: '64' },
  agents: { type: 'string', default: '100000' },
  pin: { type: 'string', default: 'apart' },
  only: { type: 'string' },
  work: { type: 'string' },
  memory: { type: 'boolean', default: false },
  assert: { type: 'boolean', default: false },
  page: { type: 'boolean', default: false },
  profile: { type: 'string' },
} as const;

/** A number above 0. Throws an Error in words for people. */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`--${name} must be a number above 0, and is "${text}"`);
}

/** Those of a list that are named, with commas; all without names. Throws an Error if one is not there. */
export function chosen<Item extends { name: string }>(
  name: string,
  list: Item[],
  text: string | undefined,
): Item[] {
  if (text === undefined) return list;
  const wanted = text.split(',');
  const unknown = wanted.filter((one) => !list.some((item) => item.name === one));
  if (unknown.length === 0) return list.filter((item) => wanted.includes(item.name));
  throw new Error(
    `--${name}: no ${unknown.join(', ')}; there are ${list.map((item) => item.name).join(', ')}`,
  );
}

/** Reads the command line. Throws an Error in words for people. */
export function readSettings(argv: string[]): Settings {
  const { values } = parseArgs({ args: argv, options });
  // Without the reference there is nothing to compare with.
  const only = values.only === undefined ? undefined : `${values.only},${REFERENCE}`;
  return {
    rounds: positive('rounds', values.rounds),
    turns: positive('turns', values.turns),
    seconds: positive('seconds', values.seconds),
    latencyRounds: positive('latency-rounds', values['latency-rounds']),
    latencySeconds: positive('latency-seconds', values['latency-seconds']),
    warmUpSeconds: positive('warm-up', values['warm-up']),
    connections: positive('connections', values.connections),
    agents: positive('agents', values.agents),
    pin: pinningNamed(values.pin),
    contestants: chosen('only', contestants(), only),
    works: chosen('work', works, values.work),
    isFilled: values.memory || values.page,
    isAsserted: values.assert,
    isPublished: values.page,
    profile: values.profile,
  };
}
