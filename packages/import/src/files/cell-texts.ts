import { foldedHeader } from '../header.ts';
import { type DateFormat, toIsoDay } from '../values/days.ts';
import type { FileSettings } from './settings.ts';

/** A value by a name that a file has, which may be the name of what all objects have. */
function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Settings by the names of columns, which are compared as a header is. */
function byHeader<Setting>(settings: Readonly<Record<string, Setting>>): Map<string, Setting> {
  return new Map(Object.entries(settings).map(([header, setting]) => [foldedHeader(header), setting]));
}

/** The settings for the cells of a column. */
export interface CellRules {
  /** The values that texts stand for. */
  choices: Readonly<Record<string, string>>;
  /** The format of days. */
  dates: DateFormat | undefined;
}

/** Makes a function that finds what settings say of the cells of a column. */
export function cellRules({ values, dates }: Pick<FileSettings, 'values' | 'dates'>) {
  const [choices, formats] = [byHeader(values), byHeader(dates)];
  return (header: string): CellRules => {
    const name = foldedHeader(header);
    return { choices: choices.get(name) ?? {}, dates: formats.get(name) };
  };
}

/** The text of a cell as the settings read it: a choice by what it stands for, a day as the service takes it. */
export function settledCell(text: string, { choices, dates }: CellRules): string {
  const choice = own(choices, text.trim());
  if (choice !== undefined) return choice;
  return dates === undefined ? text : toIsoDay(text, dates);
}

/** The name that a column has in the file, of one that `distinctHeaders` has named; another as it is. */
export function ownHeader(header: string, headers: ReadonlySet<string>): string {
  const [, name] = /^(.*) \(\d+\)$/.exec(header) ?? [];
  return name !== undefined && headers.has(name) ? name : header;
}

/** The names of columns, each only once: a second `Phone` is `Phone (2)`, one without a name `Column 3`. */
export function distinctHeaders(headers: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return headers.map((header, index) => {
    const name = header.trim() === '' ? `Column ${index + 1}` : header.trim();
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
