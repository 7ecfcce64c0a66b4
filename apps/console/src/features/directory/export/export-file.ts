import { itemRecords } from '@roster/import';
import { contracts } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { importables } from '../../fields/import-columns.ts';
import { type ListRequest, listInput } from '../list/queries.ts';
import { csvHeader, csvRow, type ExportColumn, jsonRow } from './export-columns.ts';

/** Records of a page: the most that the API gives. */
const LIMIT = 200;
/** Characters that are collected before they are written. */
const CHUNK = 64 * 1_024;

export type Format = 'csv' | 'ndjson';

export interface Target {
  write: (text: string) => Promise<void>;
  end: (isComplete: boolean) => Promise<void>;
}

interface FileHandle {
  createWritable(): Promise<{
    write(text: string): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}

type SaveFilePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileHandle>;

const mediaTypes: Readonly<Record<Format, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** A file that grows while it is written, where the browser can do that; otherwise parts that it downloads at the end. */
export async function openTarget(name: string, format: Format): Promise<Target> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SaveFilePicker };
  const type = mediaTypes[format];
  if (pick !== undefined) {
    const handle = await pick({ suggestedName: name, types: [{ accept: { [type]: [`.${format}`] } }] });
    const file = await handle.createWritable();
    return {
      write: (text) => file.write(text),
      end: (isComplete) => (isComplete ? file.close() : file.abort()),
    };
  }
  const parts: Blob[] = [];
  return {
    // The browser keeps blobs outside the memory of the page.
    write: async (text) => void parts.push(new Blob([text])),
    end: async (isComplete) => {
      if (isComplete) download(new Blob(parts, { type }), name);
    },
  };
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** All records that a list shows, in its order; those of a search by name, as only the best matches have a rank. */
function recordsOf(
  request: ListRequest,
  { signal, byItem }: { signal: AbortSignal; byItem: boolean },
): AsyncIterable<DirectoryRecord> {
  const { sort, highlight: _, ...input } = { highlight: undefined, ...listInput(request) };
  const { nameSort } = contracts[request.resource];
  const { itemRows } = importables[request.resource];
  const expand = byItem && itemRows !== undefined ? { expand: itemRows.field } : undefined;
  const query = { ...input, ...expand, sort: sort === 'relevance' ? nameSort : sort, limit: LIMIT };
  return callsOf(request.resource).all(query, { signal });
}

interface Written {
  request: ListRequest;
  columns: readonly ExportColumn[];
  format: Format;
  byItem?: boolean;
}

/**
 * Writes all records of a list. The target is dropped if that fails or is aborted.
 *
 * @returns how many there were
 */
export async function writeExport(
  { request, columns, format, byItem = false }: Written,
  target: Target,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: number) => void },
): Promise<number> {
  let count = 0;
  let text = format === 'csv' ? csvHeader(columns) : '';
  try {
    for await (const record of recordsOf(request, { signal, byItem })) {
      for (const row of byItem ? itemRecords(importables[request.resource], record) : [record])
        text += format === 'csv' ? csvRow(columns, row) : jsonRow(columns, row);
      count += 1;
      if (text.length < CHUNK) continue;
      await target.write(text);
      text = '';
      onProgress(count);
    }
    await target.write(text);
  } catch (error) {
    await target.end(false);
    throw error;
  }
  await target.end(true);
  return count;
}
