import { setTimeout } from 'node:timers/promises';
import { createRosterClient, type Event, type RosterClient } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type CliOptions, type CliResult, normalize, type Output, runCli } from './run-cli.ts';

/** Differences from a terminal of 100 cells with an empty stdin. */
type AtOptions = Pick<CliOptions, 'input' | 'columns' | 'env' | 'key'>;

/** The server of a test file. Command lines may refer to its records by name: `<name>`. */
export interface TestService {
  url: () => string;
  /** A key with all scopes. */
  key: () => string;
  client: () => RosterClient;
  database: () => TestServer['database'];
  /** Names a record for command lines and their output. */
  name: (name: string, record: { id: string }) => void;
  /** Runs a command line; `<name>` replaces an id in it and in its output. */
  at: (output: Output, argv: string[], options?: AtOptions) => Promise<CliResult>;
  /** The record that a command line printed with `--json`; fails unless it exited with 0 and said nothing else. */
  printed: (...argv: string[]) => Promise<Record<string, unknown>>;
}

/** A command line and its result. */
export type Case = [argv: string[], output: Output, exit: number, stdout: string, stderr: string];

/** Starts a real server before the tests of a file, and stops it after them. */
export function useTestService(
  prepare: (service: TestService) => Promise<void> = async () => undefined,
): TestService {
  let url = '';
  let key = '';
  let stop = async () => {};
  let database: TestServer['database'];
  const ids: Record<string, string> = {};
  const service: TestService = {
    url: () => url,
    key: () => key,
    client: () => createRosterClient({ url, key }),
    database: () => database,
    name: (name, { id }) => {
      ids[name] = id;
    },
    at: async (output, argv, options = {}) => {
      const words = argv.map((word) => word.replaceAll(/<(\w+)>/g, (all, name: string) => ids[name] ?? all));
      const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
      return normalize(await runCli(words, { url, key, output, ...options }), names);
    },
    printed: async (...argv) => {
      const { exit, stdout, stderr } = await service.at('pipe', [...argv, '--json']);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      return JSON.parse(stdout);
    },
  };
  beforeAll(async () => {
    const server = await startTestServer();
    url = server.url;
    key = server.key;
    stop = async () => server[Symbol.asyncDispose]();
    database = server.database;
    await prepare(service);
  });
  afterAll(() => stop());
  return service;
}

/** The events of a record, once the log has this number of them: the log lags slightly behind the changes. */
export async function logged({ events }: RosterClient, subject: string, count: number): Promise<Event[]> {
  for (;;) {
    const { items } = await events.list.query({ subject });
    if (items.length >= count) return items;
    await setTimeout(10);
  }
}
