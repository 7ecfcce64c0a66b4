import { chooseNames, readOptions, UsageError } from '@roster/harness/options';
import { type FaultKind, faultKinds } from './faults/plan.ts';
import type { RunOptions } from './run.ts';

const MINUTE_MS = 60_000;

/** What is not said on the command line. */
const LONG = {
  minutes: 10,
  faultsAMinute: 12,
  rate: 450,
  clients: 36,
  servers: 3,
  hasDisks: true,
  isPatroni: false,
};

/** A few seconds for every submission: what most often goes wrong, once each. */
const SHORT = {
  ...LONG,
  minutes: 0.07,
  faultsAMinute: 86,
  rate: 100,
  clients: 8,
  servers: 2,
  hasDisks: false,
};
/** The leader of Patroni's cluster is lost once. */
const PATRONI = { ...SHORT, minutes: 0.7, faultsAMinute: 1, isPatroni: true };
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
  --patroni       PostgreSQL under Patroni, as deploy/patroni configures it, whose leader is lost once
  --short         a few seconds, ${SHORT.servers} servers, and ${SHORT_KINDS.length} kinds of faults
`;

type Options = Omit<RunOptions, 'directory' | 'signal' | 'onProgress'> & { reportFile: string };

/** Reads the command line. Throws UsageError, with the usage. */
export function readChaosOptions(args: readonly string[]): Options {
  try {
    return read(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\n\n${USAGE}`);
  }
}

function read(args: readonly string[]): Options {
  const isOf = (name: string) => args.includes(`--${name}`);
  const chosen = isOf('short') ? SHORT : isOf('patroni') ? PATRONI : LONG;
  const { hasDisks, isPatroni, faultsAMinute, ...form } = chosen;
  const none = {
    seed: 0,
    faults: 0,
    kinds: undefined,
    report: 'chaos-report.md',
    short: false,
    patroni: false,
  };
  const { minutes, seed, faults, kinds, report, short, patroni, ...values } = readOptions(
    { ...form, ...none },
    args,
  );
  const ofPatroni = patroni ? 'leader lost' : undefined;
  return {
    ...values,
    hasDisks,
    isPatroni,
    seed: seed || 1 + (Date.now() % 1_000_000),
    durationMs: minutes * MINUTE_MS,
    faults: faults || Math.round(Math.max(1, minutes * faultsAMinute)),
    kinds: chooseNames('kinds', faultKinds, kinds ?? (short ? SHORT_KINDS.join(',') : ofPatroni)),
    reportFile: report,
  };
}
