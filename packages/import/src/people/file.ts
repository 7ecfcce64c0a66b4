import { writeXlsxStream } from 'hucre/xlsx';
import { escapeFormula } from '../values/formulas.ts';
import type { PeopleCell } from './columns.ts';

/** The ways in which a region writes days and times, and the cells of a line. */
export interface Region {
  /** Of a CSV file: a comma, or a semicolon where the comma is in numbers, as spreadsheets expect it there. */
  separator: ',' | ';';
  /** The formats of cells in a workbook. */
  dayFormat: string;
  timeFormat: string;
  /** A day, or the time on a clock of the region, whose UTC parts are those of that clock. */
  textOf: (clock: Date, kind: 'day' | 'time') => string;
}

const dayParts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const formatLetters: Readonly<Record<string, string>> = { year: 'yyyy', month: 'mm', day: 'dd' };

/** @param locale A language with its region, `pt-PT` */
export function regionOf(locale: string): Region {
  const tag = new Intl.Locale(locale, { calendar: 'gregory', numberingSystem: 'latn' });
  const days = new Intl.DateTimeFormat(tag, { ...dayParts, timeZone: 'UTC' });
  const number = new Intl.NumberFormat(tag).formatToParts(1.5);
  const dayFormat = days
    .formatToParts()
    .map(({ type, value }) => formatLetters[type] ?? value)
    .join('');
  return {
    separator: number.some(({ type, value }) => type === 'decimal' && value === ',') ? ';' : ',',
    dayFormat,
    timeFormat: `${dayFormat} hh:mm`,
    textOf: (clock, kind) =>
      kind === 'day' ? days.format(clock) : `${days.format(clock)} ${clock.toISOString().slice(11, 16)}`,
  };
}

/** The first year whose days a workbook can have. */
const FIRST_YEAR = 1901;

const MINUTE_MS = 60_000;

/** A day, or a time on the clock of this computer, by its UTC parts. */
function clockOf({ kind, value }: PeopleCell, isUtc: boolean): Date {
  const date = new Date(value);
  return kind === 'day' || isUtc ? date : new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
}

const isTemporal = ({ kind }: PeopleCell) => kind === 'day' || kind === 'time';

export type PeopleRow = readonly (PeopleCell | undefined)[];

interface Options {
  region: Region;
  /** Whether times are in UTC instead of the time zone of this computer. */
  isUtc: boolean;
}

/** A cell in quotes if it has to be (RFC 4180), in which no spreadsheet finds a formula. */
function csvCell(text: string, separator: string): string {
  const escaped = escapeFormula(text);
  return /["\r\n]/.test(escaped) || escaped.includes(separator)
    ? `"${escaped.replaceAll('"', '""')}"`
    : escaped;
}

/** A line of a CSV file for people. */
export function peopleLine(row: PeopleRow, { region, isUtc }: Options): string {
  const { separator, textOf } = region;
  const texts = row.map((cell) => {
    if (cell === undefined) return '';
    if (cell.kind === 'number') return String(cell.value);
    return csvCell(
      cell.kind === 'text' ? String(cell.value) : textOf(clockOf(cell, isUtc), cell.kind),
      separator,
    );
  });
  return `${texts.join(separator)}\r\n`;
}

/** Characters that a column shows without being pulled wider. */
const WIDTH = 24;

/**
 * The pieces of a workbook of one sheet, made as they are read. Days and times are numbers with the format of the region, and texts are
 * always texts: no cell is a formula.
 */
export async function* workbookOf(
  rows: AsyncIterable<PeopleRow>,
  {
    title,
    columns,
    region,
    isUtc,
  }: Options & { title: string; columns: readonly { title: string; kind: PeopleCell['kind'] }[] },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sheetValue = (cell: PeopleCell | undefined) => {
    if (cell === undefined) return null;
    if (!isTemporal(cell)) return cell.value;
    const clock = clockOf(cell, isUtc);
    return clock.getUTCFullYear() < FIRST_YEAR ? String(cell.value) : clock;
  };
  async function* values() {
    for await (const row of rows) yield row.map(sheetValue);
  }
  const formats = { day: region.dayFormat, time: region.timeFormat, text: '@', number: '0' };
  const stream = writeXlsxStream(values(), {
    name: title,
    columns: columns.map(({ title: header, kind }) => ({ header, width: WIDTH, numFmt: formats[kind] })),
    freezePane: { rows: 1 },
  });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield new Uint8Array(value);
    }
  } finally {
    await reader.cancel();
  }
}
