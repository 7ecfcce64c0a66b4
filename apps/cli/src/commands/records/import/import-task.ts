import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  ImportMapping,
  ImportPreview,
  ImportWrite,
  ResourceName,
  RosterClient,
  UploadInput,
} from '@roster/client';
import type { Importable } from '@roster/import';
import { configFile, type Environment } from '../../../environment.ts';
import { CliError, codeOf } from '../../../errors.ts';
import type { Connection } from '../../../service/connection.ts';
import { replacePrivate } from '../../../service/private-files.ts';
import type { IoStreams } from '../../../ui/io-streams.ts';
import type { CommandContext } from '../../context.ts';
import type { InputFile } from './input-file.ts';

/** The kinds of warnings to accept, and of rows to skip. */
export interface Decisions {
  acceptWarnings: NonNullable<ImportWrite['acceptWarnings']>;
  skip: NonNullable<ImportWrite['skip']>;
  updateLookAlikes?: boolean | undefined;
}

export interface ImportTask {
  importable: Importable<ResourceName>;
  input: InputFile;
  settings: Omit<
    UploadInput,
    'resource' | 'mode' | 'mapping' | 'acceptWarnings' | 'skip' | 'updateLookAlikes'
  >;
  mapping: ImportMapping;
  connection: Connection;
  client: RosterClient;
  idempotencyKey: string;
  io: IoStreams;
  cwd: string;
  commandLine: CommandContext['commandLine'];
  signal: AbortSignal;
  errorsFile: string | undefined;
  matchesFile: string | undefined;
  decisions: Decisions;
  isDryRun: boolean;
  isInteractive: boolean;
}

export type DateFormat = NonNullable<ImportPreview['columns'][number]['dates']>;

export const dateFormats: readonly DateFormat[] = ['iso', 'day-first', 'month-first', 'year-first'];

export type EmptyCells = NonNullable<UploadInput['emptyCells']>;

export const emptyCells: readonly EmptyCells[] = ['keep', 'clear'];

export interface KeptMapping {
  mapping: ImportMapping;
  emptyCells?: EmptyCells | undefined;
}

type Mappings = Partial<Record<ResourceName, Record<string, KeptMapping>>>;

/** The file of the mappings: beside the config file. Undefined if the environment has no home. */
function mappingsFile(env: Environment): string | undefined {
  const config = configFile(env);
  return config === undefined ? undefined : join(dirname(config), 'import-mappings.json');
}

function readMappings(file: string): Mappings {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new CliError(`${file} is not a file of mappings`, {
      hint: 'Delete it, and map the columns again.',
    });
  }
}

export function findMapping(env: Environment, resource: ResourceName, name: string): KeptMapping | undefined {
  const file = mappingsFile(env);
  const mappings = file === undefined ? {} : (readMappings(file)[resource] ?? {});
  return Object.hasOwn(mappings, name) ? mappings[name] : undefined;
}

export function keepMapping(
  env: Environment,
  resource: ResourceName,
  { name, kept }: { name: string; kept: KeptMapping },
): void {
  const file = mappingsFile(env);
  if (file === undefined) throw new CliError('there is no home directory to keep the mapping in');
  const all = readMappings(file);
  const mappings = { ...all, [resource]: { ...all[resource], [name]: kept } };
  replacePrivate(file, mappings);
}
