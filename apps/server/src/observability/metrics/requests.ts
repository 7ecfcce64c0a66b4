import type { Reason } from '@roster/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Asked } from '../../plugins/request-log.ts';
import { isStream } from '../../procedures.ts';
import type { Tally } from '../request-context.ts';

type Door = Asked['door'];

/** What a request, or a call of a batch, came to. */
interface Outcome {
  door: Door;
  operation: string;
  status: number;
  durationMs: number;
}

export interface RequestMetrics {
  began(): void;
  ended(asked: Asked, tally: Tally, reply: { statusCode: number; elapsedTime: number }): void;
  /** One call of RPC ended, with this status of its own. */
  called(call: { procedure: string; status: number; durationMs: number }): void;
  /** A request was refused that never began. */
  refused(reason: Reason): void;
  /** How the number of open streams is read, when it is asked for. */
  watchStreams(count: () => number): void;
}

/** In seconds: a read takes one or two milliseconds, a statement is cancelled after five seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function instrumentsOf(registers: Registry[], running: () => number) {
  return {
    requests: new Counter({
      name: 'roster_requests_total',
      help: 'Requests answered; of an RPC batch each call.',
      labelNames: ['operation', 'door', 'status'],
      registers,
    }),
    latencies: new Histogram({
      name: 'roster_request_duration_seconds',
      help: 'From the first byte of a request to the last of its answer; of an RPC call its own time. Without streams.',
      labelNames: ['operation', 'door'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    inFlight: new Gauge({
      name: 'roster_requests_in_flight',
      help: 'Requests that are not answered to the end, open streams among them.',
      registers,
      collect() {
        this.set(running());
      },
    }),
    refusals: new Counter({
      name: 'roster_refusals_total',
      help: 'Requests and calls that were refused, by the code of their problem.',
      labelNames: ['reason'],
      registers,
    }),
  };
}

/** The children of one operation at one door, so that counting a request looks nothing up but them. */
interface Children {
  duration: { observe(seconds: number): void };
  byStatus: Map<number, { inc(): void }>;
}

/** Counts requests by operation, door and status: labels of which each has a few values, whatever callers send. */
export function measureRequests(registry: Registry): RequestMetrics {
  const children = new Map<string, Children>();
  const refused = new Map<Reason, { inc(): void }>();
  let running = 0;
  const { requests, latencies, refusals } = instrumentsOf([registry], () => running);

  function childrenOf(operation: string, door: Door): Children {
    const name = `${door} ${operation}`;
    const known = children.get(name);
    if (known !== undefined) return known;
    const made = { duration: latencies.labels(operation, door), byStatus: new Map() };
    children.set(name, made);
    return made;
  }

  function count({ door, operation, status, durationMs }: Outcome): void {
    const { duration, byStatus } = childrenOf(operation, door);
    let counter = byStatus.get(status);
    if (counter === undefined) {
      counter = requests.labels(operation, door, String(status));
      byStatus.set(status, counter);
    }
    counter.inc();
    if (!isStream(operation)) duration.observe(durationMs / 1_000);
  }

  function refuse(reason: Reason): void {
    const counter = refused.get(reason) ?? refusals.labels(reason);
    refused.set(reason, counter);
    counter.inc();
  }

  return {
    began() {
      running += 1;
    },
    ended(asked, { reasons, isCounted }, { statusCode, elapsedTime }) {
      running -= 1;
      if (reasons !== undefined) for (const reason of reasons) refuse(reason);
      if (isCounted) return;
      count({ ...whatOf(asked), status: statusCode, durationMs: elapsedTime });
    },
    called({ procedure, status, durationMs }) {
      count({ door: 'rpc', operation: procedure, status, durationMs });
    },
    refused: refuse,
    watchStreams(open) {
      new Gauge({
        name: 'roster_streams_open',
        help: 'Answers without an end that are open.',
        registers: [registry],
        collect() {
          this.set(open());
        },
      });
    },
  };
}

/** A procedure, or a path that has none; what is nobody's path, or several procedures at once, is `unknown`. */
function whatOf({ door, route, procedures }: Asked): { door: Door; operation: string } {
  const [procedure] = procedures;
  if (door === 'other') return { door, operation: route ?? 'unknown' };
  return { door, operation: procedures.length === 1 && procedure !== undefined ? procedure : 'unknown' };
}
