import { parseArgs } from 'node:util';
import { type PinningName, pinningNamed } from '../cpu.ts';
import { type Work, works } from '../operations.ts';
import { chosen, positive } from '../settings.ts';
import { type Variant, variants } from './variants.ts';

/** What a run is asked for on the command line; README.md lists it. */
export interface Settings {
  /** How often each variant is started, with everything beside it. */
  rounds: number;
  /** Of each pair, at each work. */
  turns: number;
  /** Of each of the two runs of a turn. */
  seconds: number;
  /** Before the first turn of a work, of each of the two. */
  warmUpSeconds: number;
  connections: number;
  agents: number;
  pin: PinningName;
  variants: Variant[];
  works: Work[];
  /** Whether the report becomes the page docs/benchmark/ablation.md. */
  isPublished: boolean;
}

const measured = new Set(variants.flatMap(({ works: names }) => names));

const options = {
  rounds: { type: 'string', default: '1' },
  turns: { type: 'string', default: '16' },
  seconds: { type: 'string', default: '0.1' },
  'warm-up': { type: 'string', default: '2' },
  connections: { type: 'string', default: '64' },
  agents: { type: 'string', default: '20000' },
  pin: { type: 'string', default: 'apart' },
  only: { type: 'string' },
  work: { type: 'string' },
  page: { type: 'boolean', default: false },
} as const;

/** Reads the command line. Throws an Error in words for people. */
export function readSettings(argv: string[]): Settings {
  const { values } = parseArgs({ args: argv, options });
  return {
    rounds: positive('rounds', values.rounds),
    turns: positive('turns', values.turns),
    seconds: positive('seconds', values.seconds),
    warmUpSeconds: positive('warm-up', values['warm-up']),
    connections: positive('connections', values.connections),
    agents: positive('agents', values.agents),
    pin: pinningNamed(values.pin),
    variants: chosen('only', variants, values.only),
    works: chosen(
      'work',
      works.filter(({ name }) => measured.has(name)),
      values.work,
    ),
    isPublished: values.page,
  };
}
