import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRights } from '../api/caller.ts';
import { roster } from '../api/client.ts';
import { type RecentRecord, recentRecords } from './recent.ts';

/** A record as the palette shows it. */
export interface FoundRecord extends RecentRecord {
  label: string;
  /** What tells it from others of the same name. */
  detail: string;
  isActive: boolean;
}

/** How many of each resource a search shows. */
const FOUND_MAX = 6;
/** How long a text has to stay the same before it is searched for, in milliseconds. */
const DELAY_MS = 120;

interface Which {
  q?: string;
  ids?: string[];
  sort?: 'relevance';
  limit: number;
}

async function agents(which: Which, isWithOffice: boolean, signal: AbortSignal): Promise<FoundRecord[]> {
  const query = { ...which, ...(isWithOffice && { expand: 'office' as const }) };
  const { items } = await roster.agents.list.query(query, { signal });
  return items.map(({ id, displayName, email, status, office }) => ({
    resource: 'agents',
    id,
    label: displayName,
    detail: [office?.name, email].filter(Boolean).join(' · '),
    isActive: status === 'active',
  }));
}

async function offices(which: Which, signal: AbortSignal): Promise<FoundRecord[]> {
  const { items } = await roster.offices.list.query(which, { signal });
  return items.map(({ id, name, address, mlsId, status }) => ({
    resource: 'offices',
    id,
    label: name,
    detail: [address?.city, mlsId].filter(Boolean).join(' · '),
    isActive: status === 'active',
  }));
}

/** A text, once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** The agents and offices that have a text, the best matches first. */
export function useFoundRecords(text: string) {
  const { can } = useRights();
  const q = useSettled(text.trim());
  const which: Which = { q, sort: 'relevance', limit: FOUND_MAX };
  const isEnabled = q !== '';
  const found = useQuery({
    queryKey: ['palette', 'found', { q }],
    queryFn: async ({ signal }) => {
      const both = await Promise.all([
        can('agents:read') ? agents(which, can('offices:read'), signal) : [],
        can('offices:read') ? offices(which, signal) : [],
      ]);
      return both.flat();
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return {
    records: isEnabled ? (found.data ?? []) : [],
    isSearching: text.trim() !== q || found.isFetching,
    error: found.error,
  };
}

/** The records that were open last in this browser, as they are now; those that are gone are left out. */
export function useRecentRecords(): FoundRecord[] {
  const { can } = useRights();
  const [recent] = useState(recentRecords);
  const idsOf = (resource: RecentRecord['resource']) =>
    can(`${resource}:read`) ? recent.filter((one) => one.resource === resource).map(({ id }) => id) : [];
  const { data = [] } = useQuery({
    queryKey: ['palette', 'recent', { recent }],
    queryFn: async ({ signal }) => {
      const [ids, officeIds] = [idsOf('agents'), idsOf('offices')];
      const both = await Promise.all([
        ids.length > 0 ? agents({ ids, limit: ids.length }, can('offices:read'), signal) : [],
        officeIds.length > 0 ? offices({ ids: officeIds, limit: officeIds.length }, signal) : [],
      ]);
      return both.flat();
    },
    enabled: recent.length > 0,
  });
  const order = new Map(recent.map(({ id }, index) => [id, index]));
  return data.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}
