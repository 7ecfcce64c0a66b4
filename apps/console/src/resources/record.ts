/** A record of any resource, as the service answers it. */
export interface DirectoryRecord {
  readonly id: string;
  readonly status: 'active' | 'inactive';
  readonly version: number;
  readonly [field: string]: unknown;
}

/** A part of a field that the search has found. */
export interface Highlight {
  field: string;
  start: number;
  end: number;
}

/** A page of a list. */
export interface RecordPage {
  items: DirectoryRecord[];
  nextCursor?: string | undefined;
  prevCursor?: string | undefined;
  total?: number | undefined;
  isSimilar?: boolean | undefined;
  highlights?: Highlight[][] | undefined;
}

/** The name that people know a record by. */
export function nameOf(record: Readonly<Record<string, unknown>>): string {
  return String(record.displayName ?? record.name ?? record.id);
}

/** The value at a path of a record: `address.city`. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
