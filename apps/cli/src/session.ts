import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type Connection, connectionOf, type Environment } from './connection.ts';
import { verbContract } from './contract.ts';
import type { Input } from './fields.ts';
import type { Io } from './io.ts';
import { jsonFieldsOf } from './json-option.ts';
import type { Noun, Row } from './nouns.ts';
import { type Page, type Printer, printerFor } from './output/printer.ts';

interface CallOptions {
  signal: AbortSignal;
}

type Query<Answer> = { query(input: Input, options: CallOptions): Promise<Answer> };
type Mutation<Answer> = { mutate(input: Input, options: CallOptions): Promise<Answer> };

/** The procedures of a noun as a command calls them: what the user typed goes in, unjudged. */
interface Procedures {
  list: Query<Page>;
  get: Query<Row>;
  create: Mutation<Row>;
  update: Mutation<Row>;
  delete: Mutation<unknown>;
  deactivate: Mutation<Row>;
  reactivate: Mutation<Row>;
  restore: Mutation<Row>;
}

/** What a command works with. */
export interface Session extends CallOptions {
  procedures: Procedures;
  io: Io;
  printer: Printer;
}

/** Begins the work of a command whose options have been read. */
export type Start = (noun: Noun, command: CommandUnknownOpts) => Promise<Session>;

/** What the process gives to everything in it. */
export interface Surroundings {
  io: Io;
  env: Environment;
  /** Fires when the user interrupts. */
  signal: AbortSignal;
  /** The version of the command line. */
  version: string;
}

async function proceduresOf(noun: Noun, connection: Connection): Promise<Procedures> {
  // Only now, because help and usage errors need no client.
  const { createRosterClient } = await import('@roster/client');
  return createRosterClient(connection)[noun.name];
}

/** The io of a command: without colour where its options say so. */
export function ioFor(io: Io, options: Record<string, unknown>): Io {
  return options.color === false ? { ...io, color: false } : io;
}

/** How commands start in these surroundings. */
export function starting({ io: given, env, signal }: Surroundings): Start {
  return async (noun, command) => {
    const options: Record<string, unknown> = command.optsWithGlobals();
    const fields = jsonFieldsOf(options.json, verbContract(noun.name, command.name()));
    const io = ioFor(given, options);
    return {
      procedures: await proceduresOf(noun, connectionOf(options, env)),
      io,
      printer: printerFor(io, fields),
      signal,
    };
  };
}
