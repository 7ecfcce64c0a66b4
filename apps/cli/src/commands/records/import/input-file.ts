import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usageError } from '../../../errors.ts';

export type Format = 'csv' | 'ndjson';

export interface InputFile extends AsyncDisposable {
  /** Its bytes, which are read as they are sent. */
  blob: Blob;
  name: string | undefined;
  /** The format by the end of its name; undefined if that does not say. */
  format: Format | undefined;
}

const formats: Readonly<Record<string, InputFile['format']>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Copies stdin to a temporary file, because it may be sent again. */
async function spool(stdin: Readable, signal: AbortSignal): Promise<[path: string, directory: string]> {
  const directory = await mkdtemp(join(tmpdir(), 'roster-import-'));
  const path = join(directory, 'stdin');
  try {
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return [path, directory];
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`cannot read ${path} (${error.code})`);
  });
  if (!found.isFile()) throw usageError(`${path} is not a file`, 'Use - to read from stdin.');
}

export async function openInput(
  file: string,
  { cwd, stdin, signal }: { cwd: string; stdin: Readable; signal: AbortSignal },
): Promise<InputFile> {
  const isInput = file === '-';
  const [path, directory] = isInput ? await spool(stdin, signal) : [resolve(cwd, file), undefined];
  await checkFile(path);
  return {
    blob: await openAsBlob(path),
    name: isInput ? undefined : basename(path),
    format: formats[extname(file).toLowerCase()],
    [Symbol.asyncDispose]: async () => {
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
