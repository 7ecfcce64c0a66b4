import { itemRecords } from '@roster/import';
import { contracts } from '../../../api/contract/contracts.ts';
import type { DirectoryRecord } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { importables } from '../../fields/import-columns.ts';
import { type ListRequest, listInput } from '../list/queries.ts';
import type { Format, PiecesOf } from './export-pieces.ts';

/** Records of a page: the most that the API gives. */
const LIMIT = 200;

type Piece = string | Uint8Array<ArrayBuffer>;

export interface Target {
  write: (piece: Piece) => Promise<void>;
  end: (isComplete: boolean) => Promise<void>;
}

interface FileHandle {
  createWritable(): Promise<{
    write(piece: Piece): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}

type SaveFilePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileHandle>;

const mediaTypes: Readonly<Record<Format, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** A file that grows while it is written, where the browser can do that; otherwise parts that it downloads at the end. */
export async function openTarget(name: string, format: Format): Promise<Target> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SaveFilePicker };
  const type = mediaTypes[format];
  if (pick !== undefined) {
    const handle = await pick({ suggestedName: name, types: [{ accept: { [type]: [`.${format}`] } }] });
    const file = await handle.createWritable();
    return {
      write: (piece) => file.write(piece),
      end: (isComplete) => (isComplete ? file.close() : file.abort()),
    };
  }
  const parts: Blob[] = [];
  return {
    // The browser keeps blobs outside the memory of the page.
    write: async (piece) => void parts.push(new Blob([piece])),
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
  piecesOf: PiecesOf;
  byItem?: boolean;
}

/**
 * Writes all records of a list. The target is dropped if that fails or is aborted.
 *
 * @returns how many there were
 */
export async function writeExport(
  { request, piecesOf, byItem = false }: Written,
  target: Target,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: number) => void },
): Promise<number> {
  let count = 0;
  async function* rows() {
    for await (const record of recordsOf(request, { signal, byItem })) {
      count += 1;
      if (byItem) yield* itemRecords(importables[request.resource], record);
      else yield record;
    }
  }
  try {
    for await (const piece of piecesOf(rows())) {
      await target.write(piece);
      onProgress(count);
    }
  } catch (error) {
    await target.end(false);
    throw error;
  }
  await target.end(true);
  return count;
}
