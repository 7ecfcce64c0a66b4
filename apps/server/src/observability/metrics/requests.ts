import type { ErrorCode } from '@roster/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { isStream } from '../../procedures.ts';
import type { ApiInterface, RequestStats, RequestTarget } from '../request-context.ts';

interface Outcome {
  apiInterface: ApiInterface;
  operation: string;
  status: number;
  durationMs: number;
}

export interface RequestMetrics {
  began(): void;
  ended(target: RequestTarget, stats: RequestStats, reply: { statusCode: number; elapsedTime: number }): void;
  called(call: { apiInterface: 'rpc' | 'mcp'; procedure: string; status: number; durationMs: number }): void;
  countError(code: ErrorCode): void;
  watchStreams(count: () => number): void;
}

/** Seconds: a read takes one or two milliseconds; a statement is cancelled after five seconds. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function instrumentsOf(registers: Registry[], running: () => number) {
  return {
    requests: new Counter({
      name: 'roster_requests_total',
      help: 'Responses; of an RPC batch, and of MCP, one for each call.',
      labelNames: ['operation', 'interface', 'status'],
      registers,
    }),
    latencies: new Histogram({
      name: 'roster_request_duration_seconds',
      help: 'From the first byte of a request to the last of its response; of a call of RPC or MCP its own time. Without streams.',
      labelNames: ['operation', 'interface'],
      buckets: LATENCY_BUCKETS,
      registers,
    }),
    inFlight: new Gauge({
      name: 'roster_requests_in_flight',
      help: 'Requests whose response has not ended, including open streams.',
      registers,
      collect() {
        this.set(running());
      },
    }),
    errors: new Counter({
      name: 'roster_errors_total',
      help: 'Requests and calls that failed, by error code.',
      labelNames: ['code'],
      registers,
    }),
  };
}

interface Children {
  duration: { observe(seconds: number): void };
  byStatus: Map<number, { inc(): void }>;
}

/** Each label has a bounded number of values, whatever clients send. */
export function measureRequests(registry: Registry): RequestMetrics {
  const children = new Map<string, Children>();
  const errorCounters = new Map<ErrorCode, { inc(): void }>();
  let running = 0;
  const { requests, latencies, errors } = instrumentsOf([registry], () => running);

  function childrenOf(operation: string, apiInterface: ApiInterface): Children {
    const name = `${apiInterface} ${operation}`;
    const known = children.get(name);
    if (known !== undefined) return known;
    const made = { duration: latencies.labels(operation, apiInterface), byStatus: new Map() };
    children.set(name, made);
    return made;
  }

  function count({ apiInterface, operation, status, durationMs }: Outcome): void {
    const { duration, byStatus } = childrenOf(operation, apiInterface);
    let counter = byStatus.get(status);
    if (counter === undefined) {
      counter = requests.labels(operation, apiInterface, String(status));
      byStatus.set(status, counter);
    }
    counter.inc();
    if (!isStream(operation)) duration.observe(durationMs / 1_000);
  }

  function countError(code: ErrorCode): void {
    const counter = errorCounters.get(code) ?? errors.labels(code);
    errorCounters.set(code, counter);
    counter.inc();
  }

  return {
    began() {
      running += 1;
    },
    ended(target, { errorCodes, isCounted }, { statusCode, elapsedTime }) {
      running -= 1;
      if (errorCodes !== undefined) for (const code of errorCodes) countError(code);
      if (isCounted) return;
      count({ ...labelsOf(target), status: statusCode, durationMs: elapsedTime });
    },
    called({ apiInterface, procedure, status, durationMs }) {
      count({ apiInterface, operation: procedure, status, durationMs });
    },
    countError,
    watchStreams(open) {
      new Gauge({
        name: 'roster_streams_open',
        help: 'Open responses without an end.',
        registers: [registry],
        collect() {
          this.set(open());
        },
      });
    },
  };
}

function labelsOf({ apiInterface, route, procedures }: RequestTarget): {
  apiInterface: ApiInterface;
  operation: string;
} {
  const [procedure] = procedures;
  if (apiInterface !== 'rest' && apiInterface !== 'rpc')
    return { apiInterface, operation: route ?? 'unknown' };
  return {
    apiInterface,
    operation: procedures.length === 1 && procedure !== undefined ? procedure : 'unknown',
  };
}
