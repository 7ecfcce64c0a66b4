import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { RosterClient } from '@roster/client';
import { operationContract } from '../contract/operations.ts';
import { idempotencyKeyOf } from '../contract/options.ts';
import type { Resource } from '../contract/resources.ts';
import { commandLine, type Environment } from '../environment.ts';
import { type CallOptions, loadClient, type Procedures, proceduresIn } from '../service/client.ts';
import { type Connection, connectionOf } from '../service/connection.ts';
import type { IoStreams } from '../ui/io-streams.ts';
import { type JsonWanted, jsonOutput } from '../ui/json-option.ts';
import type { ReadHome } from '../ui/phones.ts';
import { type Printer, printerFor } from '../ui/printer.ts';

export interface CommandContext {
  client: RosterClient;
  connection: Connection;
  procedures: Procedures;
  callOptions: CallOptions;
  io: IoStreams;
  /** The requested JSON output; undefined for tables and TSV. */
  json: JsonWanted | undefined;
  printer: Printer;
  /** Reads the country whose phone numbers a terminal shows without their country code. */
  readHome: ReadHome;
  /** The command that runs these words of roster here, for hints. */
  commandLine: (words: string) => string;
  isDryRun: boolean;
}

export type ContextFactory = (
  resource: Pick<Resource, 'name'>,
  command: CommandUnknownOpts,
) => Promise<CommandContext>;

export interface Runtime {
  io: IoStreams;
  env: Environment;
  /** The working directory: an absolute path. */
  cwd: string;
  signal: AbortSignal;
  version: string;
  /** Opens a URL in the user's browser; resolves to whether there is one. */
  openUrl(url: string): Promise<boolean>;
}

export function ioFor(io: IoStreams, options: Record<string, unknown>): IoStreams {
  if (options.color !== false) return io;
  const { stdout, stderr } = io;
  return {
    ...io,
    stdout: { write: (text) => stdout.write(text), color: false },
    stderr: { write: (text) => stderr.write(text), color: false },
  };
}

/** Reads the default country of the directory once. Lists are shown without it if it can't be read. */
export function homeReader(client: RosterClient, signal: AbortSignal): ReadHome {
  let home: Promise<string | null> | undefined;
  return () => {
    home ??= client.settings.get.query({}, { signal }).then(
      ({ defaultCountry }) => defaultCountry,
      () => null,
    );
    return home;
  };
}

/** Throws a usage error for options that contradict each other. */
export async function createCommandContext(
  [resource, operation]: readonly [string, string],
  options: Record<string, unknown>,
  runtime: Runtime,
): Promise<CommandContext> {
  const { io: given, signal } = runtime;
  const contract = operationContract(resource, operation);
  const { json, io } = await jsonOutput(options, contract, ioFor(given, options));
  const idempotencyKey = idempotencyKeyOf(options.idempotencyKey, contract);
  const connection = connectionOf(options, runtime);
  const client = await loadClient(connection);
  const readHome = homeReader(client, signal);
  return {
    client,
    connection,
    procedures: proceduresIn(client, resource),
    callOptions: { signal, ...(idempotencyKey !== undefined && { context: { idempotencyKey } }) },
    io,
    json,
    printer: printerFor(io, json, readHome),
    readHome,
    commandLine: (words) => commandLine(words, runtime.env),
    isDryRun: options.dryRun === true,
  };
}

export function contextFactory(runtime: Runtime): ContextFactory {
  return (resource, command) =>
    createCommandContext([resource.name, command.name()], command.optsWithGlobals(), runtime);
}
