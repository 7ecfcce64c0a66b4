import { queryClient } from '../api/client.ts';
import { allOf, type Beside, resultOf, transaction } from './journal.ts';
import type { ImportDocument } from './types.ts';

/** Imports are deleted after this time, because they hold personal data. The command line does the same. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

/** The query of one import; null if this browser has none with this id, or it is of someone else. */
export function importQuery(id: string, callerId: string) {
  return {
    queryKey: ['import', id] as const,
    queryFn: async (): Promise<ImportDocument | null> => {
      const found = await transaction('readonly', ({ imports }) => resultOf(imports.get(id)));
      return found === undefined || (found as ImportDocument).callerId !== callerId
        ? null
        : (found as ImportDocument);
    },
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The imports of a caller in this browser, the latest first. Those that are too old are deleted. */
export async function listImports(callerId: string): Promise<ImportDocument[]> {
  const all = (await transaction('readonly', ({ imports }) =>
    resultOf(imports.getAll()),
  )) as ImportDocument[];
  const isOld = ({ createdAt }: ImportDocument) => Date.now() - Date.parse(createdAt) > RETENTION_MS;
  for (const { id } of all.filter(isOld)) await deleteImport(id);
  return all
    .filter((one) => one.callerId === callerId && !isOld(one))
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** Keeps a new import. */
export async function addImport(document: ImportDocument): Promise<void> {
  await transaction('readwrite', ({ imports }) => void imports.add(document));
}

/** Deletes an import with its rows. What it has written stays. */
export async function deleteImport(id: string): Promise<void> {
  await transaction('readwrite', ({ imports, batches, faulty }) => {
    imports.delete(id);
    batches.delete(allOf(id));
    faulty.delete(allOf(id));
  });
  queryClient.removeQueries({ queryKey: ['import', id] });
}

/** Changes an import, with a batch and faulty rows in the same transaction, and shows it. */
export async function updateImport(
  id: string,
  change: (document: ImportDocument) => Partial<ImportDocument>,
  { batch, faulty: rows = [] }: Beside = {},
): Promise<ImportDocument> {
  const changed = await transaction('readwrite', async ({ imports, batches, faulty }) => {
    const document = (await resultOf(imports.get(id))) as ImportDocument;
    const next = { ...document, ...change(document) };
    imports.put(next);
    if (batch !== undefined) batches.put(batch);
    for (const row of rows) faulty.put(row);
    return next;
  });
  queryClient.setQueryData(['import', id], changed);
  return changed;
}
