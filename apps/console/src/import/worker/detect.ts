import { findEncoding } from '@roster/import';
import type { ReadOptions } from '../types.ts';

const HEAD_BYTES = 64 * 1024;

/** The encodings to choose from, by their labels of the Encoding Standard. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'macintosh',
  'iso-8859-15',
] as const;

/** Whether all of a file is UTF-8. Text in another encoding hardly ever is. */
async function isUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      decoder.decode(value, { stream: !done });
      if (done) return true;
    }
  } catch {
    await reader.cancel();
    return false;
  }
}

/** The encoding of a file: that of its byte order mark, UTF-16 or UTF-8 if it is that, else windows-1252, as Excel writes it. */
export async function detectEncoding(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return findEncoding(head) ?? ((await isUtf8(file)) ? 'utf-8' : 'windows-1252');
}

const extensions: Readonly<Record<string, ReadOptions['format']>> = {
  csv: 'csv',
  tsv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};

/** The format of a file: by the end of its name, else by how it begins. */
export function detectFormat(fileName: string, beginning: string): ReadOptions['format'] {
  const extension = fileName.toLowerCase().split('.').at(-1) ?? '';
  return extensions[extension] ?? (beginning.trimStart().startsWith('{') ? 'ndjson' : 'csv');
}
