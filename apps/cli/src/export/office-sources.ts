import type { RosterError } from '@roster/client';
import { recordsById } from '../import/send/existing-records.ts';
import type { Service } from '../import/send/import-client.ts';
import type { Row } from '../resources.ts';

/** Offices that are remembered; those of the next pages are mostly the same. */
const KEPT_MAX = 10_000;

/** Finds where the offices of a page came from. */
export type OfficeSources = (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

/**
 * Where offices came from, by their ids; without the scope to read offices, nothing, and `note` is told why. Each office
 * is asked for once while it is remembered.
 */
export function officeSources(service: Service, note: (text: string) => void): OfficeSources {
  let known = new Map<string, unknown>();
  let isRefused = false;
  const find = async (ids: readonly string[]): Promise<Map<string, Row>> => {
    try {
      return await recordsById(service, 'offices', ids);
    } catch (error) {
      const { name, code } = error as RosterError;
      if (name !== 'RosterError' || code !== 'insufficient_scope') throw error;
      isRefused = true;
      note('The key may not read offices, so that they are named by their ids alone.\n');
      return new Map();
    }
  };
  return async (ids) => {
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0 || isRefused) return known;
    if (known.size > KEPT_MAX) known = new Map();
    const wanted = known.size === 0 ? ids : missing;
    for (const [id, { source }] of await find(wanted)) known.set(id, source);
    return known;
  };
}
