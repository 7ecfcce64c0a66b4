import {
  createImportable,
  IMPORT_ATTEMPTS,
  IMPORT_TIMEOUT_MS,
  type Importable,
  type ImportClient,
  importableNames,
  importClientOf,
} from '@roster/import';
import type { Connection } from '../context/connection.ts';
import type { Resource } from '../resources.ts';

/** The resources that can be imported and exported. */
export const importables: readonly Importable[] = importableNames.map(createImportable);

/** Looks up an importable resource; undefined if it cannot be imported. */
export function importableOf({ name }: Pick<Resource, 'name'>): Importable | undefined {
  return importables.find((importable) => importable.name === name);
}

/** Creates the client of an import or export of one resource. */
export async function createImportClient(
  { url, key }: Connection,
  { name }: Pick<Importable, 'name'>,
  signal: AbortSignal,
): Promise<ImportClient> {
  const { createRosterClient } = await import('@roster/client');
  const client = createRosterClient({ url, key, attempts: IMPORT_ATTEMPTS, timeoutMs: IMPORT_TIMEOUT_MS });
  return importClientOf(client, name, signal);
}
