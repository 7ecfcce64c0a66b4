import { EventEmitter } from 'node:events';
import type { Authenticator, DenialLog } from '@roster/api/server';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { type AppOptions, operationHooks, requestHooks } from './app.ts';
import type { RateLimiter } from './http/limits/gcra.ts';
import { RunningRequests } from './http/limits/running-requests.ts';

/** Options with everything for which hooks are added. */
const options = {
  corsOrigins: ['https://app.example'],
  denials: { record: () => undefined, close: async () => undefined } as unknown as DenialLog,
  keys: new EventEmitter() as unknown as Authenticator,
  limiter: {} as RateLimiter,
} as AppOptions;

it.each([...requestHooks, ...operationHooks])(
  'the table of hooks has the phases of: $name',
  async ({ phases, add }) => {
    const app = fastify();
    const added: string[] = [];
    const addHook = app.addHook.bind(app) as unknown as (name: string, hook: () => void) => typeof app;
    Object.assign(app, {
      addHook: (name: string, hook: () => void) => {
        added.push(name);
        return addHook(name, hook);
      },
    });
    const shared = { running: new RunningRequests(1), sampler: { close: () => undefined } };
    await add(app, options, shared as unknown as Parameters<typeof add>[2]);
    const ofRequests = added.filter((name) => !/^(preClose|onClose|onRoute)$/.test(name));
    expect(ofRequests.toSorted()).toEqual(phases.toSorted());
    await app.close();
  },
);
