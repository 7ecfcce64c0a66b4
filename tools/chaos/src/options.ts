import { chooseNames, readOptions, UsageError } from '@roster/harness/options';
import { faultKinds } from './faults/faults.ts';
import type { RunOptions } from './run.ts';

const MINUTE_MS = 60_000;

/** What is not said on the command line. */
const LONG = {
  minutes: 10,
  faultsAMinute: 12,
  rate: 450,
  clients: 36,
  servers: 3,
  kinds: faultKinds.join(','),
};

/** A few seconds for every submission: what most often goes wrong, once each. */
const SHORT: typeof LONG = {
  minutes: 0.07,
  faultsAMinute: 86,
  rate: 100,
  clients: 8,
  servers: 2,
  kinds: 'server killed,server paused,PostgreSQL killed,link cut,standby promoted,hostile caller',
};

/** The leader of Patroni's cluster is lost once. */
const PATRONI: typeof LONG = { ...SHORT, minutes: 0.7, faultsAMinute: 1, kinds: 'leader lost' };

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
  --short         a few seconds, ${SHORT.servers} servers, and a few kinds of faults
`;

type Options = Omit<RunOptions, 'directory' | 'signal' | 'onProgress'> & { reportFile: string };

/** Reads the command line. Throws UsageError, with the usage. */
export function readChaosOptions(args: readonly string[]): Options {
  const form = args.includes('--short') ? SHORT : args.includes('--patroni') ? PATRONI : LONG;
  const { faultsAMinute, ...defaults } = form;
  const none = { seed: 0, faults: 0, report: 'chaos-report.md', short: false, patroni: false };
  try {
    const given = readOptions({ ...defaults, ...none }, args);
    const { minutes, seed, faults, kinds, report: reportFile, short, patroni: isPatroni, ...values } = given;
    return {
      ...values,
      isPatroni,
      seed: seed || 1 + (Date.now() % 1_000_000),
      durationMs: minutes * MINUTE_MS,
      faults: faults || Math.round(Math.max(1, minutes * faultsAMinute)),
      kinds: chooseNames('kinds', faultKinds, kinds),
      reportFile,
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\n\n${USAGE}`);
  }
}
