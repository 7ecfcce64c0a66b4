import process from 'node:process';
import { chooseFirstCountry, createStatusReader } from '@roster/api/server';
import { ConnectionLostError, connect } from '@roster/db';
import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createWorkers } from '../../../src/workers/index.ts';
import { watchContract } from '../contract.ts';

/**
 * The server that is fuzzed, as a process of its own, so that a crash and its memory can be observed. Sends
 * its parent its URL; at every message it collects garbage and sends how much memory is in use.
 */
const { DATABASE_URL = '', ROSTER_ADMIN_KEY = '' } = process.env;
// On a machine that others share, a database that answers late has not gone away.
const timeouts = { connectMs: 30_000, unresponsiveMs: 30_000 };
const db = connect({ connection: DATABASE_URL, timeouts });
const workers = createWorkers({
  connection: DATABASE_URL,
  database: { timeouts },
  db,
  adminKey: ROSTER_ADMIN_KEY,
  // No name is resolved, so that what is fuzzed stays here.
  webhooks: { isPrivateAllowed: false, resolve: (_, __, done) => done(new Error('no names here'), []) },
  // Counted, and never so many that it shows.
  rateLimit: 100_000_000,
  retentionDays: 30,
  defaultCountry: undefined,
  onFailure: (error) => {
    // A worker that cannot connect tries again; on a machine that others share it may take more than once.
    if (!(error instanceof ConnectionLostError)) process.stderr.write(`${error}\n`);
  },
});
await chooseFirstCountry(db, { country: 'US', now: new Date() });
workers.start();
const { keys, notifier, sender, limiter, server } = workers;
const app = await buildApp({
  ...readConfig({}),
  db,
  keys,
  notifier,
  sender,
  logLevel: 'error',
  limiter,
  readStatus: createStatusReader({
    databases: { requests: db, workers: workers.db },
    server,
    now: () => new Date(),
  }),
  corsOrigins: ['https://app.example'],
  timeouts: { headersMs: 500, requestMs: 1_000, stalledMs: 1_000 },
  observe: (observed) => {
    const violations = watchContract(observed);
    // Violations are sent with the response itself, so that the request can be reported and shrunk.
    observed.addHook('onSend', async (_, reply) => {
      if (violations.length === 0) return;
      reply.header(
        'X-Not-As-Documented',
        encodeURIComponent(violations.splice(0).join('; ').slice(0, 2_000)),
      );
    });
  },
});

process.on('disconnect', () => process.exit());
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ memoryUsed: heapUsed + external });
});
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
