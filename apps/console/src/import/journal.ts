import type { FaultyRow, JournalBatch } from './types.ts';

const NAME = 'roster.imports';
const VERSION = 1;

type StoreName = 'imports' | 'batches' | 'faulty';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('imports', { keyPath: 'id' });
      request.result.createObjectStore('batches', { keyPath: ['importId', 'number'] });
      request.result.createObjectStore('faulty', { keyPath: ['importId', 'row'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** What a request answers. */
export function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

type Stores = Record<StoreName, IDBObjectStore>;

/** Runs a transaction over all stores: all of it is kept, on the disk, or none. */
export async function transaction<Value>(
  mode: IDBTransactionMode,
  work: (stores: Stores) => Promise<Value> | Value,
): Promise<Value> {
  const database = await open();
  const trx = database.transaction(['imports', 'batches', 'faulty'], mode, { durability: 'strict' });
  const done = new Promise<void>((resolve, reject) => {
    trx.oncomplete = () => resolve();
    trx.onerror = () => reject(trx.error);
    trx.onabort = () => reject(trx.error ?? new Error('The browser has ended the transaction'));
  });
  const value = await work({
    imports: trx.objectStore('imports'),
    batches: trx.objectStore('batches'),
    faulty: trx.objectStore('faulty'),
  });
  await done;
  return value;
}

/** The keys of one import in a store with two parts of a key. */
export const allOf = (importId: string) => IDBKeyRange.bound([importId], [importId, []]);

/** What a change of an import writes beside the document itself. */
export interface Beside {
  batch?: JournalBatch;
  faulty?: readonly FaultyRow[];
}

/** Forgets the rows of an import, before it is read again. */
export async function clearRows(id: string): Promise<void> {
  await transaction('readwrite', ({ batches, faulty }) => {
    batches.delete(allOf(id));
    faulty.delete(allOf(id));
  });
}

/** Writes a batch, or faulty rows, of an import that is being read. */
export async function addRows({ batch, faulty: rows = [] }: Beside): Promise<void> {
  await transaction('readwrite', ({ batches, faulty }) => {
    if (batch !== undefined) batches.put(batch);
    for (const row of rows) faulty.put(row);
  });
}

export async function readBatch(importId: string, number: number): Promise<JournalBatch | undefined> {
  return transaction('readonly', ({ batches }) => resultOf(batches.get([importId, number])));
}

/** Some faulty rows of an import in the order of the file, those after a row. */
export async function readFaulty(importId: string, afterRow: number, countMax: number): Promise<FaultyRow[]> {
  const range = IDBKeyRange.bound([importId, afterRow], [importId, []], true);
  return transaction('readonly', ({ faulty }) => resultOf(faulty.getAll(range, countMax)));
}
