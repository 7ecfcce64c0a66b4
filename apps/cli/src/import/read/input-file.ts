import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usageError } from '../../errors/errors.ts';
import { bytesOf } from './encoding.ts';

export type Format = 'csv' | 'ndjson';

/** The input of an import: a file that can be read repeatedly. */
export interface InputFile extends AsyncDisposable {
  /** The path to read it from. */
  path: string;
  /** Its absolute path, or `-` for stdin. */
  name: string;
  size: number;
  /** SHA-256, in hexadecimal. */
  hash: string;
  format: Format;
}

const extensions: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Detects the format from the start of a file, in any encoding that is a superset of ASCII. */
function detectFormat(path: string): Format {
  const [beginning] = bytesOf(path);
  const text = beginning?.toString('latin1').replaceAll(/[^\x21-\x7e]/g, '') ?? '';
  return text.startsWith('{') ? 'ndjson' : 'csv';
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  for (const chunk of bytesOf(path, { isReused: true })) hash.update(chunk);
  return hash.digest('hex');
}

/** Copies stdin to a temporary file, because the input is read twice. */
async function spooled(stdin: Readable, signal: AbortSignal): Promise<[path: string, directory: string]> {
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

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`cannot read ${path} (${error.code})`);
  });
  if (!found.isFile()) throw usageError(`${path} is not a file`, 'Use - to read from stdin.');
  return found.size;
}

/** Opens a file, or stdin for `-`. Throws a usage error if it cannot be read. */
export async function openInput(
  file: string,
  {
    cwd,
    stdin,
    signal,
    format,
  }: { cwd: string; stdin: Readable; signal: AbortSignal; format: Format | undefined },
): Promise<InputFile> {
  const isInput = file === '-';
  const [path, directory] = isInput ? await spooled(stdin, signal) : [resolve(cwd, file), undefined];
  const size = await sizeOf(path);
  return {
    path,
    name: isInput ? '-' : path,
    size,
    hash: hashOf(path),
    format: format ?? extensions[extname(file).toLowerCase()] ?? detectFormat(path),
    [Symbol.asyncDispose]: async () => {
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
