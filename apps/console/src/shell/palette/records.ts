import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Rights, useRights } from '../../api/caller.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { embeddedParent, parentOf, resourceNames } from '../../api/contract/contracts.ts';
import { detailOf } from '../../resources/find-records.ts';
import { nameOf } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { type RecentRecord, recentRecords } from './recent.ts';

export interface FoundRecord extends RecentRecord {
  label: string;
  detail: string | undefined;
  isActive: boolean;
}

const FOUND_MAX = 6;
/** The time that a text has to stay the same before it is searched for, in milliseconds. */
const DELAY_MS = 120;

interface Which {
  q?: string;
  ids?: string[];
  sort?: 'relevance';
  limit: number;
}

/** The records of a resource that a list has. What is embedded in them needs the right to read it. */
async function read(
  resource: ResourceName,
  which: Which,
  { can }: Rights,
  signal: AbortSignal,
): Promise<FoundRecord[]> {
  const embedded = embeddedParent(resource);
  const parent = parentOf(resource)?.resource;
  const isEmbedded = embedded !== undefined && parent !== undefined && can(`${parent}:read`);
  const expand = isEmbedded ? { expand: embedded } : {};
  const { items } = await callsOf(resource).list.query({ ...which, ...expand }, { signal });
  return items.map((record) => ({
    resource,
    id: record.id,
    label: nameOf(record),
    detail: detailOf(resource, record),
    isActive: record.status === 'active',
  }));
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

export function useFoundRecords(text: string) {
  const rights = useRights();
  const q = useSettled(text.trim());
  const which: Which = { q, sort: 'relevance', limit: FOUND_MAX };
  const isEnabled = q !== '';
  const found = useQuery({
    queryKey: ['palette', 'found', { q }],
    queryFn: async ({ signal }) => {
      const readable = resourceNames.filter((name) => rights.can(`${name}:read`));
      const found = await Promise.all(readable.map((name) => read(name, which, rights, signal)));
      return found.flat();
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
  const rights = useRights();
  const [recent] = useState(recentRecords);
  const { data = [] } = useQuery({
    queryKey: ['palette', 'recent', { recent }],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        resourceNames.map((name) => {
          const ids = recent.filter((one) => one.resource === name).map(({ id }) => id);
          const isRead = ids.length > 0 && rights.can(`${name}:read`);
          return isRead ? read(name, { ids, limit: ids.length }, rights, signal) : [];
        }),
      );
      return found.flat();
    },
    enabled: recent.length > 0,
  });
  const order = new Map(recent.map(({ id }, index) => [id, index]));
  return data.toSorted((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}
