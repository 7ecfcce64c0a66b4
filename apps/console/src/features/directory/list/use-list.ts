// The pages that are shown stay until those of another request are there: the compiler must not keep what is derived from older ones.
'use no memo';

import type { Highlight } from '@roster/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { queryClient } from '../../../api/client.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { type ListPages, type ListRequest, listQuery } from './queries.ts';

export interface ListRow {
  record: DirectoryRecord;
  highlights: readonly Highlight[] | undefined;
}

/** The records of a list that are in memory. */
export interface List {
  /** The request that they are of: that before, as long as those of the next are read. */
  request: ListRequest;
  /** The same as long as the rows are of one list, in one order, from one start. */
  key: string;
  rows: readonly ListRow[];
  /** The number of records before the first row; undefined if that is not known, as after a jump. */
  offset: number | undefined;
  total: number;
  isSimilar: boolean;
  hasPrevious: boolean;
  hasNext: boolean;
  /** Replaces records where they are. */
  update: (newer: ReadonlyMap<string, DirectoryRecord>) => void;
  /** Reads all that is in memory again. */
  refresh: () => Promise<void>;
  readPrevious: () => void;
  readNext: () => void;
}

export const indexOf = ({ rows }: Pick<List, 'rows'>, id: string): number =>
  rows.findIndex(({ record }) => record.id === id);

const rowsOf = ({ pages }: ListPages): ListRow[] =>
  pages.flatMap(({ items, highlights }) =>
    items.map((record, at) => ({ record, highlights: highlights?.[at] })),
  );

function withRecords(data: ListPages, newer: ReadonlyMap<string, DirectoryRecord>): ListPages {
  const pages = data.pages.map((page) =>
    page.items.some(({ id }) => newer.has(id))
      ? { ...page, items: page.items.map((record) => newer.get(record.id) ?? record) }
      : page,
  );
  return { ...data, pages };
}

export function useList(request: ListRequest, startAt: string | undefined) {
  const options = listQuery(request, startAt);
  const { can } = useRights();
  const query = useInfiniteQuery({
    ...options,
    // A caller that follows the log hears of every change.
    refetchOnWindowFocus: can('events:read') ? false : 'always',
  });
  const [shown, setShown] = useState<{ data: ListPages; request: ListRequest; options: typeof options }>();
  if (query.data !== undefined && query.data !== shown?.data)
    setShown({ data: query.data, request, options });
  const key = JSON.stringify(options.queryKey);
  const isCurrent = shown !== undefined && JSON.stringify(shown.options.queryKey) === key;
  const data = shown?.data;
  const rows = useMemo(() => (data === undefined ? [] : rowsOf(data)), [data]);
  const { error, isFetching } = query;
  let list: List | undefined;
  if (shown !== undefined && data !== undefined) {
    const [first] = data.pages;
    const [place] = data.pageParams;
    const { queryKey } = shown.options;
    const canRead = isCurrent && !isFetching && error === null;
    list = {
      request: shown.request,
      key: JSON.stringify(queryKey),
      rows,
      offset: first?.prevCursor === undefined ? 0 : place?.offset,
      total: first?.total ?? place?.total ?? rows.length,
      isSimilar: first?.isSimilar === true,
      hasPrevious: first?.prevCursor !== undefined,
      hasNext: data.pages.at(-1)?.nextCursor !== undefined,
      update: (newer) => {
        if (newer.size > 0)
          queryClient.setQueryData<ListPages>([...queryKey], (before) =>
            before === undefined ? before : withRecords(before, newer),
          );
      },
      refresh: async () => {
        await query.refetch({ throwOnError: true });
      },
      readPrevious: () => {
        if (canRead) void query.fetchPreviousPage();
      },
      readNext: () => {
        if (canRead) void query.fetchNextPage();
      },
    };
  }
  const retry = () => {
    if (query.isFetchNextPageError) void query.fetchNextPage();
    else if (query.isFetchPreviousPageError) void query.fetchPreviousPage();
    else void query.refetch();
  };
  return { list, error, retry, isCurrent };
}
