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

/** The encoding that a byte order mark names; undefined without one. */
function markedEncoding(head: Uint8Array): string | undefined {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: in a table every second byte is mostly zero. */
function wideEncoding(head: Uint8Array): string | undefined {
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = head.length / 8;
  if (odd > many && odd > 4 * even) return 'utf-16le';
  return even > many && even > 4 * odd ? 'utf-16be' : undefined;
}

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
  return markedEncoding(head) ?? wideEncoding(head) ?? ((await isUtf8(file)) ? 'utf-8' : 'windows-1252');
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

/** The names of columns, each only once: a second `Phone` is `Phone (2)`, one without a name `Column 3`. */
export function distinctHeaders(headers: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headers.map((header, index) => {
    const name = header.trim() === '' ? `Column ${index + 1}` : header.trim();
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
