import { readBeginning, type UploadInput } from '@roster/client';
import { isPacked } from '@roster/import';
import { useQuery } from '@tanstack/react-query';
import { type Outputs, queryClient, roster } from '../../api/client.ts';
import { createStore } from '../../api/store.ts';
import { loadPart } from '../../ui/browser/lazy-chunks.ts';
import { findKeptMapping, findSentMapping, type Meaning } from './kept-mappings.ts';

export interface OpenedWorkbook {
  file: Blob;
  sheet: string;
  sheets: readonly string[];
  notes: { hiddenRows: number; hiddenColumns: number; formulas: readonly string[] };
}

/** A sheet of a workbook as a CSV file; any other file unchanged. Rejects with what to do if the workbook cannot be read. */
async function unpackSheet(
  file: Blob,
  sheet: string | undefined,
): Promise<{ file: Blob; workbook?: OpenedWorkbook }> {
  if (!(await isPacked(file))) return { file };
  const { readWorkbook, WorkbookError } = await loadPart(() => import('@roster/import/workbook'));
  try {
    const { name, sheets, csv, notes } = await readWorkbook(file, sheet);
    return { file: csv, workbook: { file, sheet: name, sheets, notes } };
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    const { message } = error;
    throw new Error(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`, { cause: error });
  }
}

/** The options by which the file is read, as far as someone has said them. */
type ReadOptions = Pick<UploadInput, 'format' | 'encoding' | 'delimiter'> & {
  resource?: UploadInput['resource'] | undefined;
};

/** A file that was chosen in this page and is not sent yet. It is kept while its import is shown, to be checked again. */
export interface Draft extends Meaning {
  /** Tells it from the files that were chosen before. */
  number: number;
  file: Blob;
  name: string;
  /** The workbook whose sheet the file is, if it is one. */
  workbook?: OpenedWorkbook;
  options: ReadOptions;
  /** The import that it was sent for last. */
  importId?: string;
  /** Whether something was said about it since it was chosen, or sent. */
  isChanged: boolean;
}

export type FilePreview = Outputs['imports']['preview'];

export const noMapping: Meaning['mapping'] = { columns: {}, values: {}, dates: {}, emptyCells: {} };

export const draftStore = createStore<Draft | undefined>(undefined);

/** Changes the draft by what someone says of it; nothing if there is none. */
export function changeDraft(change: (draft: Draft) => Partial<Draft>): void {
  const draft = draftStore.get();
  if (draft !== undefined) draftStore.set({ ...draft, isChanged: true, ...change(draft) });
}

type Said = Omit<Draft['mapping'], 'phoneCountry'>;

/** Says of a column of the draft which field it sets, or what its texts, days or empty cells mean. */
export function say<Part extends keyof Said>(part: Part, column: string, value: Said[Part][string]): void {
  changeDraft(({ mapping }) => ({ mapping: { ...mapping, [part]: { ...mapping[part], [column]: value } } }));
}

/** The query of how the service would read a draft, and what it takes the columns for. The country of phone numbers changes nothing of that. */
export function previewQuery({
  number,
  file,
  name,
  options,
  mapping: { phoneCountry: _, ...mapping },
}: Draft) {
  return {
    queryKey: ['imports', 'preview', { number, options, mapping }] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FilePreview> => {
      const input = { ...options, name, mapping, beginning: await readBeginning(file) };
      return roster.imports.preview.mutate(input, { signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** The preview of a draft. While a change is asked for, that of before is shown. */
export function usePreview(draft: Draft) {
  return useQuery({ ...previewQuery(draft), placeholderData: (before) => before });
}

/**
 * The meaning of the columns in the last import of a file with these, which the service has kept; undefined if there is none. Days that
 * contradict each other in this file are asked about again.
 */
function lastMeaning({ last, columns }: FilePreview) {
  if (last === null) return undefined;
  const { resource, mapping, emptyCells, sourceName, keyColumn } = last;
  const open = new Set(columns.flatMap(({ name, dateDoubt }) => (dateDoubt === 'contradictory' ? name : [])));
  const dates = Object.entries(mapping.dates ?? {}).filter(([name]) => !open.has(name));
  const known = { ...noMapping, ...mapping, dates: Object.fromEntries(dates) };
  const meaning = { mapping: known, emptyCells, keptAs: '' };
  return { resource, meaning: { ...meaning, sourceName: sourceName ?? '', keyColumn: keyColumn ?? '' } };
}

let count = 0;

/**
 * Makes the draft of a file, or of a sheet of a workbook, with the mapping that is known for files with these columns. Rejects if it has no
 * columns.
 */
export async function beginDraft(given: Blob, name: string, sheet?: string): Promise<void> {
  const unpacked = await unpackSheet(given, sheet);
  count += 1;
  const draft: Draft = {
    number: count,
    ...unpacked,
    name,
    options: unpacked.workbook === undefined ? formatOptions(name) : { format: 'csv', encoding: 'utf-8' },
    mapping: noMapping,
    emptyCells: 'keep',
    sourceName: '',
    keyColumn: '',
    keptAs: '',
    isChanged: false,
  };
  const preview = await queryClient.fetchQuery(previewQuery(draft));
  const { resource, columns } = preview;
  const names = columns.map((column) => column.name);
  const known = findSentMapping(names) ?? findKeptMapping(resource, names) ?? lastMeaning(preview);
  // The records are those of the first look, whatever columns one maps.
  const options = { ...draft.options, resource: known?.resource ?? resource };
  draftStore.set({ ...draft, options, ...known?.meaning });
}

/** The formats of files by the ends of their names; undefined if the service finds out the format by the content. */
const formats: Readonly<Record<string, ReadOptions['format']>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': undefined,
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** The files that can be chosen, as an `accept` attribute: by their names, or by their types where systems go by those. */
export const acceptedFiles = [
  ...Object.keys(formats),
  '.xlsx',
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  'application/x-ndjson',
  'application/jsonl',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
].join(',');

function formatOptions(name: string): ReadOptions {
  const format = formats[/\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? ''];
  return format === undefined ? {} : { format };
}
