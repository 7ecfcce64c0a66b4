import type { ImportMapping, ImportPreview, ImportWrite, RosterClient, UploadInput } from '@roster/client';
import type { Importable } from '@roster/import';
import type { Connection } from '../../../service/connection.ts';
import type { IoStreams } from '../../../ui/io-streams.ts';
import type { CommandContext } from '../../context.ts';
import type { InputFile } from './input-file.ts';

/** A kind of row that a check finds suspicious. */
export type Suspicion = NonNullable<ImportWrite['confirm']>[number];

/** An import and its dependencies. */
export interface ImportTask {
  importable: Importable;
  input: InputFile;
  /** The options by which the file is read. */
  settings: Omit<UploadInput, 'resource' | 'mode' | 'mapping' | 'confirm' | 'skip'>;
  mapping: ImportMapping;
  connection: Connection;
  client: RosterClient;
  idempotencyKey: string;
  io: IoStreams;
  cwd: string;
  /** The command that runs these words of roster here, for hints. */
  commandLine: CommandContext['commandLine'];
  signal: AbortSignal;
  /** The value of `--errors`. */
  errorsFile: string | undefined;
  /** The value of `--matches`. */
  matchesFile: string | undefined;
  /** The suspicions in spite of which the file may be written. */
  confirmed: readonly Suspicion[];
  /** Whether rows that are rejected are left out, and the others written. */
  isRejectedSkipped: boolean;
  /** Whether rows are left out that would create what looks like a record which is there. */
  areLookAlikesSkipped: boolean;
  isDryRun: boolean;
  /** Whether questions can be asked. */
  isInteractive: boolean;
}

/** The format of the days of a column. */
export type DateFormat = NonNullable<ImportPreview['columns'][number]['dates']>;

export const dateFormats: readonly DateFormat[] = ['iso', 'day-first', 'month-first', 'year-first'];

/** The effect of an empty cell on a field that has a value. */
export type EmptyCells = NonNullable<UploadInput['emptyCells']>;

export const emptyCells: readonly EmptyCells[] = ['keep', 'clear'];
