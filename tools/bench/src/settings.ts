import { chooseNames, readOptions } from '../../harness/src/options.ts';
import { type Contestant, contestants, REFERENCE } from './contestants.ts';
import { type Work, works } from './works.ts';

/** The options of the command line with their defaults; README.md says what they mean. */
const defaults = {
  rounds: 5,
  turns: 5,
  seconds: 1,
  warmUp: 3,
  connections: 64,
  agents: 100_000,
  pin: 'apart',
  only: undefined,
  work: undefined,
  memory: false,
  assert: false,
  page: false,
  profile: undefined,
} as const;

/** Those of a list that a text with commas names; all without one. Throws UsageError. */
function choose<Item extends { name: string }>(option: string, list: Item[], text?: string): Item[] {
  const all = list.map(({ name }) => name);
  const names = chooseNames(option, all, text);
  return list.filter(({ name }) => names.includes(name));
}

/** A run as the command line asks for it. */
export interface Settings extends Omit<ReturnType<typeof readOptions<typeof defaults>>, 'only' | 'work'> {
  contestants: Contestant[];
  works: Work[];
}

/** Reads the command line. Throws UsageError. */
export function readSettings(argv: string[]): Settings {
  const { only, work, ...values } = readOptions(defaults, argv);
  // Without the reference there is nothing to compare with.
  const others = only === undefined ? undefined : `${only},${REFERENCE}`;
  return {
    ...values,
    memory: values.memory || values.page,
    contestants: choose('only', contestants(), others),
    works: choose('work', works, work),
  };
}
