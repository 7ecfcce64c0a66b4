import type { Row } from '../../contract/columns.ts';
import { hasErrorCode } from '../../errors.ts';
import { type ReadList, recordsById } from '../../service/lists.ts';

/** Offices in the cache; consecutive pages mostly refer to the same ones. */
const CACHED_MAX = 10_000;

/** Resolves ids of offices to their sources. */
export type OfficeSources = (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

/**
 * Creates a cached lookup of the sources of offices by id. If the key may not read offices, it finds none and calls `note`
 * with an explanation.
 */
export function officeSources(readList: ReadList, note: (text: string) => void): OfficeSources {
  let known = new Map<string, unknown>();
  let isForbidden = false;
  const find = async (ids: readonly string[]): Promise<Map<string, Row>> => {
    try {
      return await recordsById(readList, 'offices', ids);
    } catch (error) {
      if (!hasErrorCode(error, 'insufficient_scope')) throw error;
      isForbidden = true;
      note('The key may not read offices, so offices are exported by id only.\n');
      return new Map();
    }
  };
  return async (ids) => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0 || isForbidden) return known;
    if (known.size > CACHED_MAX) known = new Map();
    const wanted = known.size === 0 ? ids : missing;
    for (const [id, { source }] of await find(wanted)) known.set(id, source);
    return known;
  };
}
