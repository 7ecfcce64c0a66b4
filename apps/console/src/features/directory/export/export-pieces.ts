import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { records } from '@roster/contract/fields';
import { columnKind, fileColumnsOf, LICENSE_NUMBER, peopleCell } from '@roster/import/people';
import { queryClient } from '../../../api/client.ts';
import { contracts, fieldOf, type ResourceName } from '../../../api/contract/contracts.ts';
import { settingsQuery } from '../../../api/settings.ts';
import { resources } from '../../../resources/index.ts';
import { type DirectoryRecord, nameOf } from '../../../resources/record.ts';
import { findReferred } from '../../../resources/referred-records.ts';
import { loadPart } from '../../../ui/browser/lazy-chunks.ts';
import { preferences } from '../../../ui/browser/preferences.ts';
import { choiceLabel } from '../../fields/field-labels.ts';
import { columnLabel } from '../list/columns.ts';
import { csvHeader, csvRow, type ExportColumn, jsonRow, textRow } from './export-columns.ts';

export type Format = 'xlsx' | 'csv' | 'ndjson';

type Records = AsyncIterable<DirectoryRecord>;

/** Makes the parts of a file from records as they are read. */
export type PiecesOf = (records: Records) => AsyncIterable<string | Uint8Array<ArrayBuffer>>;

/** Characters that are collected before they are written. */
const CHUNK = 64 * 1_024;

async function* mapped<One, Other>(all: AsyncIterable<One>, change: (one: One) => Other) {
  for await (const one of all) yield change(one);
}

async function* collected(first: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = first;
  for await (const line of lines) {
    text += line;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}

const loadFiles = () => loadPart(() => import('@roster/import/people-file'));

interface Sheet {
  i18n: I18n;
  resource: ResourceName;
  format: Format;
}

/** A file of these columns for programs, and for imports; a workbook has their texts. */
export function programPieces(columns: readonly ExportColumn[], { i18n, resource, format }: Sheet): PiecesOf {
  if (format === 'csv')
    return (records) =>
      collected(
        csvHeader(columns),
        mapped(records, (record) => csvRow(columns, record)),
      );
  if (format === 'ndjson')
    return (records) =>
      collected(
        '',
        mapped(records, (record) => jsonRow(columns, record)),
      );
  return async function* (records) {
    const { regionOf, workbookOf } = await loadFiles();
    const rows = mapped(records, (record) =>
      textRow(columns, record).map((value) => (value === '' ? undefined : { kind: 'text' as const, value })),
    );
    yield* workbookOf(rows, {
      title: i18n._(resources[resource].labels.many),
      columns: columns.map(({ header }) => ({ title: header, kind: 'text' })),
      region: regionOf(navigator.language),
      isUtc: true,
    });
  };
}

/** Records whose names are read at once. */
const NAMED_AT_ONCE = 200;

async function* grouped(records: Records): AsyncGenerator<DirectoryRecord[]> {
  let some: DirectoryRecord[] = [];
  for await (const record of records) {
    some.push(record);
    if (some.length < NAMED_AT_ONCE) continue;
    yield some;
    some = [];
  }
  yield some;
}

/** Records with names in place of the ids of others that the list does not embed. An id stays if its record is not seen. */
async function* withNames(resource: ResourceName, names: readonly string[], records: Records): Records {
  const { expansions } = contracts[resource];
  const references = names.flatMap((field) => {
    const { refersTo } = fieldOf(resource, field) ?? {};
    return refersTo === undefined || expansions.includes(field.replace(/Id$/, ''))
      ? []
      : [{ field, refersTo }];
  });
  const known = new Map<unknown, string>();
  for await (const some of grouped(records)) {
    const wanted = references.flatMap(({ field, refersTo }) =>
      [...new Set(some.map((record) => record[field]))].flatMap((id) =>
        typeof id === 'string' && !known.has(id) ? [{ id, refersTo }] : [],
      ),
    );
    await Promise.all(
      wanted.map(async ({ id, refersTo }) => {
        const found = await findReferred(refersTo, id).catch(() => null);
        known.set(id, found === null ? id : nameOf(found));
      }),
    );
    for (const record of some) {
      const named = references.map(({ field }) => [field, known.get(record[field]) ?? record[field]]);
      yield { ...record, ...Object.fromEntries(named) };
    }
  }
}

/** A file of what a list shows, for people: in their words, days and times, and with what is needed beside the end of a licence. */
export function peoplePieces(shown: readonly string[], { i18n, resource, format }: Sheet): PiecesOf {
  const contract = records[resource];
  const names = fileColumnsOf(shown, contract);
  const columns = names.map((name) => ({
    title: name === LICENSE_NUMBER ? i18n._(msg`Licence number`) : columnLabel(i18n, resource, name),
    kind: columnKind(name, contract),
  }));
  return async function* (all) {
    const [{ regionOf, peopleLine, workbookOf }, { readablePhone }, { defaultCountry }] = await Promise.all([
      loadFiles(),
      loadPart(() => import('@roster/contract/phones')),
      queryClient.fetchQuery(settingsQuery),
    ]);
    const wording = {
      phone: (number: string) => readablePhone(number, defaultCountry),
      choice: (field: string, value: string) => choiceLabel(i18n, field, value),
    };
    const rows = mapped(withNames(resource, names, all), (record) =>
      names.map((name) => peopleCell(record, name, contract, wording)),
    );
    const options = { region: regionOf(navigator.language), isUtc: preferences().timeZone === 'UTC' };
    if (format === 'xlsx') {
      yield* workbookOf(rows, { ...options, title: i18n._(resources[resource].labels.many), columns });
      return;
    }
    const header = columns.map(({ title }) => ({ kind: 'text' as const, value: title }));
    yield* collected(
      `\uFEFF${peopleLine(header, options)}`,
      mapped(rows, (row) => peopleLine(row, options)),
    );
  };
}
