import { toIsoDay } from '../values/days.ts';
import type { FileSettings } from './settings.ts';

/** A value by a name that a file has, which may be the name of what all objects have. */
function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The text of a cell as the settings read it: a choice by what it stands for, a day as the service takes it. */
export function settledCell(
  text: string,
  header: string,
  { values, dates }: Pick<FileSettings, 'values' | 'dates'>,
): string {
  const choice = own(own(values, header) ?? {}, text.trim());
  if (choice !== undefined) return choice;
  const format = own(dates, header);
  return format === undefined ? text : toIsoDay(text, format);
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
