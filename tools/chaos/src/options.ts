import { parseArgs } from 'node:util';
import { type FaultKind, faultKinds } from './faults/plan.ts';
import type { RunOptions } from './run.ts';

const MINUTE_MS = 60_000;

/** What is not said on the command line. */
const LONG = { minutes: 10, faultsAMinute: 12, rate: 450, clients: 36, servers: 3, hasDisks: true };

/** A few seconds for every submission: what most often goes wrong, once each. */
const SHORT = { minutes: 0.07, faultsAMinute: 86, rate: 100, clients: 8, servers: 2, hasDisks: false };
const SHORT_KINDS: readonly FaultKind[] = [
  'server killed',
  'server paused',
  'PostgreSQL killed',
  'link cut',
  'standby promoted',
  'hostile caller',
];

const USAGE = `npm run chaos -- [options]

  --seed N        the same faults and decisions again; a new one each time unless given
  --minutes N     how long the deployment is broken (${LONG.minutes})
  --faults N      how often (${LONG.faultsAMinute} a minute)
  --rate N        operations a second while nothing is broken (${LONG.rate})
  --clients N     how many ask for them (${LONG.clients})
  --servers N     how many servers (${LONG.servers})
  --kinds A,B     only these kinds of faults: ${faultKinds.join(', ')}
  --report FILE   writes the report there too (chaos-report.md)
  --short         a few seconds, ${SHORT.servers} servers, and ${SHORT_KINDS.length} kinds of faults
`;

type Options = Omit<RunOptions, 'directory' | 'signal' | 'onProgress'> & { reportFile: string };

/** Something on the command line that is not as it must be; the message says what. */
export class UsageError extends Error {}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0))
    throw new UsageError(`--${name} must be a number above 0\n\n${USAGE}`);
  return number;
}

function kindsOf(text: string): FaultKind[] {
  return text.split(',').map((name) => {
    const kind = faultKinds.find((known) => known === name.trim());
    if (kind === undefined) throw new UsageError(`there is no fault '${name.trim()}'\n\n${USAGE}`);
    return kind;
  });
}

/** Reads the command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const form = values.short === true ? SHORT : LONG;
  const number = (name: 'seed' | 'minutes' | 'faults' | 'rate' | 'clients' | 'servers', otherwise: number) =>
    values[name] === undefined ? otherwise : numberOf(name, values[name]);
  const minutes = number('minutes', form.minutes);
  const kinds = values.kinds === undefined ? undefined : kindsOf(values.kinds);
  return {
    seed: number('seed', 1 + (Date.now() % 1_000_000)),
    durationMs: minutes * MINUTE_MS,
    faults: Math.round(number('faults', Math.max(1, minutes * form.faultsAMinute))),
    rate: number('rate', form.rate),
    clients: number('clients', form.clients),
    servers: number('servers', form.servers),
    hasDisks: form.hasDisks,
    kinds: kinds ?? (values.short === true ? SHORT_KINDS : faultKinds),
    reportFile: values.report ?? 'chaos-report.md',
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    seed: text,
    minutes: text,
    faults: text,
    rate: text,
    clients: text,
    servers: text,
    kinds: text,
    report: text,
    short: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}
