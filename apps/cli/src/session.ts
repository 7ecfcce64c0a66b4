import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Connection, connectionOf, type Environment } from './connection.ts';
import { verbContract } from './contract.ts';
import type { Input } from './fields.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import type { Io } from './io.ts';
import { jsonFieldsOf } from './json-option.ts';
import type { Noun, Row, Transition } from './nouns.ts';
import { type Page, type Printer, printerFor } from './output/printer.ts';

interface CallOptions {
  signal: AbortSignal;
  context?: { idempotencyKey: string };
}

type Query<Answer> = { query(input: Input, options: CallOptions): Promise<Answer> };
type Mutation<Answer> = { mutate(input: Input, options: CallOptions): Promise<Answer> };

/** The procedures of a noun as a command calls them: what the user typed goes in, unjudged. */
interface Procedures extends Record<'create' | 'update' | Transition, Mutation<Row>> {
  list: Query<Page>;
  get: Query<Row>;
  delete: Mutation<unknown>;
}

/** What a command works with. */
export interface Session {
  procedures: Procedures;
  /** What every call of the command is made with. */
  callOptions: CallOptions;
  io: Io;
  printer: Printer;
}

/** Begins the work of a command whose options have been read. */
export type Start = (noun: Noun, command: CommandUnknownOpts) => Promise<Session>;

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
}

async function proceduresOf(noun: Noun, connection: Connection): Promise<Procedures> {
  // Only now, because help and usage errors need no client.
  const { createRosterClient } = await import('@roster/client');
  const procedures: Partial<Procedures> = createRosterClient(connection)[noun.name];
  // No noun has them all; a command calls only that of a verb its noun names.
  return procedures as Procedures;
}

/** The io of a command: without colour where its options say so. */
export function ioFor(io: Io, options: Record<string, unknown>): Io {
  return options.color === false ? { ...io, color: false } : io;
}

/** How commands start in these surroundings. */
export function starting(surroundings: Surroundings): Start {
  const { io: given, signal } = surroundings;
  return async (noun, command) => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const contract = verbContract(noun.name, command.name());
    const fields = jsonFieldsOf(options.json, contract);
    const idempotencyKey = idempotencyKeyOf(options.idempotencyKey, contract);
    const io = ioFor(given, options);
    return {
      procedures: await proceduresOf(noun, connectionOf(options, surroundings)),
      callOptions: { signal, ...(idempotencyKey !== undefined && { context: { idempotencyKey } }) },
      io,
      printer: printerFor(io, fields),
    };
  };
}
