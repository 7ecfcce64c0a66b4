import { addImport, updateImport } from './documents.ts';
import { guessMapping, guessResource, rememberedMapping } from './mapping.ts';
import { checkImport } from './run-import.ts';
import type { ImportDocument, ReadOptions } from './types.ts';
import { runTask } from './worker/worker-client.ts';

/** The largest file that the page takes. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

const noRows = { created: 0, updated: 0, unchanged: 0, rejected: 0 };

/** What is not known before a file is read. */
const unread = {
  survey: [],
  headers: [],
  isRead: false,
  rows: 0,
  rejected: 0,
  batches: [],
  checkedBatches: 0,
  checked: noRows,
  acceptRenames: false,
  renames: 0,
  appliedBatches: 0,
  applied: noRows,
  undoneBatches: 0,
  undone: { done: 0, left: 0 },
};

/** Begins an import of a file: finds out how to read it, and which records it holds. Answers its id. */
export async function beginImport(
  { file, fileName }: { file: Blob; fileName: string },
  callerId: string,
): Promise<string> {
  const inspection = await runTask('inspect', { file, fileName, options: {} });
  const { headers } = inspection;
  const resource = guessResource(headers, fileName);
  const document: ImportDocument = {
    ...unread,
    id: crypto.randomUUID?.() ?? randomId(),
    callerId,
    resource,
    fileName,
    size: file.size,
    file,
    createdAt: new Date().toISOString(),
    stage: 'file',
    inspection,
    mapping: rememberedMapping(resource, headers) ?? guessMapping(resource, headers),
  };
  await addImport(document);
  return document.id;
}

/** An id where the page is not in a secure context, which has no `randomUUID`. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Reads the file in another way than it was found out. */
export async function readDifferently(
  document: ImportDocument,
  options: Partial<ReadOptions>,
): Promise<void> {
  const { id, file, fileName, inspection, resource, mapping } = document;
  if (file === undefined) return;
  const { format, encoding, delimiter } = inspection;
  const read = await runTask('inspect', {
    file,
    fileName,
    options: { format, encoding, delimiter, ...options },
  });
  const isSame = read.headers.every((header) => header in mapping.fields);
  const guessed = rememberedMapping(resource, read.headers) ?? guessMapping(resource, read.headers);
  await updateImport(id, () => ({ ...unread, inspection: read, mapping: isSame ? mapping : guessed }));
}

/** Imports the rows as records of the other resource. */
export async function changeResource(
  { id, inspection: { headers } }: ImportDocument,
  resource: ImportDocument['resource'],
): Promise<void> {
  const mapping = rememberedMapping(resource, headers) ?? guessMapping(resource, headers);
  await updateImport(id, () => ({ ...unread, resource, mapping }));
}

/** Has all rows checked again, with or without other names for records that e-mail addresses alone led to. */
export async function checkWithRenames({ id }: ImportDocument, acceptRenames: boolean): Promise<void> {
  const document = await updateImport(id, ({ survey }) => ({ ...unread, survey, acceptRenames }));
  await checkImport(document);
}

/** Changes what the columns mean. What was checked by then does not count any more. */
export async function changeMapping(
  { id }: ImportDocument,
  change: (mapping: ImportDocument['mapping']) => ImportDocument['mapping'],
): Promise<void> {
  await updateImport(id, ({ mapping, survey }) => ({ ...unread, survey, mapping: change(mapping) }));
}
