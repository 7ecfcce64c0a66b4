import { trimmedText } from '@roster/fields/text';
import type { Column } from '../columns.ts';
import { foldedHeader } from '../header.ts';
import { type DateFormat, toIsoDay } from '../values/days.ts';
import type { EmptyCells, FileSettings } from './settings.ts';

/** Settings by the names of columns, which are compared as a header is. */
function byHeader<Setting>(settings: Readonly<Record<string, Setting>>): Map<string, Setting> {
  return new Map(Object.entries(settings).map(([header, setting]) => [foldedHeader(header), setting]));
}

/** The settings for the cells of a column. */
export interface CellRules {
  /** The values that texts stand for. */
  choices: ReadonlyMap<string, string>;
  /** The format of days. */
  dates: DateFormat | undefined;
  /** The effect of empty cells, if it is said of this column. */
  emptyCells: EmptyCells | undefined;
}

/** Makes a function that finds what settings say of the cells of a column. */
export function cellRules({
  values,
  dates,
  columnEmptyCells,
}: Pick<FileSettings, 'values' | 'dates' | 'columnEmptyCells'>) {
  const [choices, formats, empty] = [byHeader(values), byHeader(dates), byHeader(columnEmptyCells)];
  const byText = (of: Readonly<Record<string, string>>) =>
    new Map(Object.entries(of).map(([text, choice]) => [trimmedText(text), choice]));
  const choicesByText = new Map(Array.from(choices, ([name, of]) => [name, byText(of)]));
  return (header: string): CellRules => {
    const name = foldedHeader(header);
    return {
      choices: choicesByText.get(name) ?? new Map(),
      dates: formats.get(name),
      emptyCells: empty.get(name),
    };
  };
}

/** The text of a cell as the settings read it: a choice by what it stands for, a day as the service takes it. */
export function settledCell(text: string, { choices, dates }: CellRules, column: Column | undefined): string {
  const choice = choices.get(trimmedText(text));
  if (choice !== undefined) return choice;
  return dates === undefined ? text : toIsoDay(text, dates, column?.side);
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
    const name = trimmedText(header) || `Column ${index + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
