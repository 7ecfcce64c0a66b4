import type {
  ImportMapping,
  ImportPreview,
  ImportWrite,
  ResourceName,
  RosterClient,
  UploadInput,
} from '@roster/client';
import type { Importable } from '@roster/import';
import type { Connection } from '../../../service/connection.ts';
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
