import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { RosterClient } from '@roster/client';
import { verbContract } from '../contract/contract.ts';
import type { Input } from '../input/fields.ts';
import { idempotencyKeyOf } from '../input/idempotency.ts';
import { type JsonWanted, jsonOutput } from '../input/json-option.ts';
import { type Page, type Printer, printerFor } from '../output/printer.ts';
import type { Noun, Row } from '../resources.ts';
import { type Connection, connectionOf } from './connection.ts';
import type { Environment } from './environment.ts';
import type { Io } from './io-streams.ts';
import { ShortIds } from './short-ids.ts';

interface CallOptions {
  signal: AbortSignal;
  context?: { idempotencyKey: string };
}

/** A procedure as a command calls it: what the user typed goes in, unjudged. */
interface Procedure {
  query(input: Input, options: CallOptions): Promise<unknown>;
  mutate(input: Input, options: CallOptions): Promise<unknown>;
}

/** A procedure of which it is known what it answers. */
type Reading<Answer> = { query(input: Input, options: CallOptions): Promise<Answer> };

/** The procedures of a noun. */
export type Procedures = { list: Reading<Page>; deliveries: Reading<Page>; get: Reading<Row> } & Readonly<
  Record<string, Procedure>
>;

/** What a command works with. */
export interface Session {
  client: RosterClient;
  procedures: Procedures;
  /** What every call of the command is made with. */
  callOptions: CallOptions;
  io: Io;
  /** The JSON that is wanted; undefined for tables and TSV. */
  json: JsonWanted | undefined;
  printer: Printer;
  /** What shows ids short on a terminal. */
  ids: ShortIds;
  /** Whether a change is only to be shown. */
  isDryRun: boolean;
}

/** Begins the work of a command whose options have been read. */
export type Start = (noun: Pick<Noun, 'name'>, command: CommandUnknownOpts) => Promise<Session>;

/** What the process gives to everything in it. */
export interface Surroundings {
  io: Io;
  env: Environment;
  /** The working directory: an absolute path. */
  cwd: string;
  /** Fires when the user interrupts. */
  signal: AbortSignal;
  /** The version of the command line. */
  version: string;
  /** Shows a URL in the user's browser; answers whether there is one. */
  openUrl(url: string): Promise<boolean>;
}

async function clientOf({ url, key }: Connection): Promise<RosterClient> {
  // Only now, because help and usage errors need no client.
  const { createRosterClient } = await import('@roster/client');
  return createRosterClient({ url, key });
}

function proceduresIn(client: RosterClient, noun: string): Procedures {
  // No noun has them all; a command calls only that of a verb its noun names.
  return (client as unknown as Record<string, Procedures>)[noun] as Procedures;
}

/** The procedures of a noun of a service, such as `offices`. */
export async function proceduresOf(noun: string, connection: Connection): Promise<Procedures> {
  return proceduresIn(await clientOf(connection), noun);
}

/** The io of a command: without colour where its options say so. */
export function ioFor(io: Io, options: Record<string, unknown>): Io {
  if (options.color !== false) return io;
  const { stdout, stderr } = io;
  return {
    ...io,
    stdout: { write: (text) => stdout.write(text), color: false },
    stderr: { write: (text) => stderr.write(text), color: false },
  };
}

/** What a command needs that calls a procedure (`offices`, `create`) with these options. */
export async function sessionFor(
  [noun, verb]: readonly [string, string],
  options: Record<string, unknown>,
  surroundings: Surroundings,
): Promise<Session> {
  const { io: given, signal } = surroundings;
  const contract = verbContract(noun, verb);
  const { json, io } = await jsonOutput(options, contract, ioFor(given, options));
  const idempotencyKey = idempotencyKeyOf(options.idempotencyKey, contract);
  const connection = connectionOf(options, surroundings);
  const client = await clientOf(connection);
  const ids = new ShortIds(surroundings.env, connection.url);
  return {
    client,
    procedures: proceduresIn(client, noun),
    callOptions: { signal, ...(idempotencyKey !== undefined && { context: { idempotencyKey } }) },
    io,
    json,
    printer: printerFor(io, json, ids),
    ids,
    isDryRun: options.dryRun === true,
  };
}

/** How commands start in these surroundings. */
export function starting(surroundings: Surroundings): Start {
  return (noun, command) => sessionFor([noun.name, command.name()], command.optsWithGlobals(), surroundings);
}
