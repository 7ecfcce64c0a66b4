import { setTimeout } from 'node:timers/promises';
import { createRosterClient, type Event, type RosterClient } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { afterAll, beforeAll } from 'vitest';
import { type CliOptions, type Outcome, type Place, runCli, steady } from './run-cli.ts';

/** What differs from a terminal of 100 cells and nothing on stdin. */
type AtOptions = Pick<CliOptions, 'input' | 'columns' | 'env' | 'key'>;

/** A server of a test file's own, and the records that its command lines may name as `<name>`. */
export interface Directory {
  url: () => string;
  /** A key of it with all scopes. */
  key: () => string;
  client: () => RosterClient;
  database: () => TestServer['database'];
  /** Gives a record a name for `at` and for what is printed. */
  name: (name: string, record: { id: string }) => void;
  /** Runs a command line; `<name>` stands for an id in it and in what it prints. */
  at: (place: Place, argv: string[], options?: AtOptions) => Promise<Outcome>;
}

/** One command line and all that it does. */
export type Case = [argv: string[], place: Place, exit: number, stdout: string, stderr: string];

/** Starts a real server before the tests of a file, and stops it after them. */
export function useDirectory(
  prepare: (directory: Directory) => Promise<void> = async () => undefined,
): Directory {
  let url = '';
  let key = '';
  let stop = async () => {};
  let database: TestServer['database'];
  const ids: Record<string, string> = {};
  const directory: Directory = {
    url: () => url,
    key: () => key,
    client: () => createRosterClient({ url, key }),
    database: () => database,
    name: (name, { id }) => {
      ids[name] = id;
    },
    at: async (place, argv, options = {}) => {
      const words = argv.map((word) => word.replaceAll(/<(\w+)>/g, (all, name: string) => ids[name] ?? all));
      const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
      return steady(await runCli(words, { url, key, place, ...options }), names);
    },
  };
  beforeAll(async () => {
    const server = await startTestServer();
    url = server.url;
    key = server.key;
    stop = async () => server[Symbol.asyncDispose]();
    database = server.database;
    await prepare(directory);
  });
  afterAll(() => stop());
  return directory;
}

/** The events of a record, once there are so many: the log is a moment behind the changes. */
export async function logged({ events }: RosterClient, subject: string, count: number): Promise<Event[]> {
  for (;;) {
    const { items } = await events.list.query({ subject });
    if (items.length >= count) return items;
    await setTimeout(10);
  }
}
