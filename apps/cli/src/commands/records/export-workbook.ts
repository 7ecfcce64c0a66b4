import type { ResourceName, RosterClient } from '@roster/client';
import { readablePhone } from '@roster/contract/phones';
import { records } from '@roster/contract/records';
import { columnKind, englishTitle, expansionsOf, fileColumnsOf, peopleCell } from '@roster/import/people';
import { regionOf, workbookOf } from '@roster/import/people-file';
import type { Row } from '../../contract/columns.ts';
import { homeReader } from '../context.ts';
import { recordNames } from '../record-names.ts';

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * The pieces of a workbook of records, with the columns that people see, in the formats of this computer's region.
 *
 * @param pagesOf Reads the pages with these expansions
 */
export async function* workbookPieces(
  resource: ResourceName,
  pagesOf: (expand: string[]) => AsyncIterable<readonly Row[]>,
  { client, signal }: { client: RosterClient; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const contract = records[resource];
  const names = fileColumnsOf(contract.usualColumns, contract);
  const home = await homeReader(client, signal)();
  const references = contract.fields.flatMap(({ name, refersTo }) =>
    refersTo !== undefined && names.includes(name) ? [{ field: name, title: name, refersTo }] : [],
  );
  const named = recordNames(references, { client, callOptions: { signal } });
  const wording = {
    phone: (number: string) => readablePhone(number, home),
    choice: (field: string, value: string) => (field === 'status' ? capitalized(value) : undefined),
  };
  async function* rows() {
    for await (const page of pagesOf(expansionsOf(names, contract)))
      for (const row of await named(page))
        yield names.map((name) => peopleCell(row, name, contract, wording));
  }
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  yield* workbookOf(rows(), {
    title: capitalized(resource),
    columns: names.map((name) => ({
      title: englishTitle(name),
      kind: columnKind(name, contract),
    })),
    region: regionOf(locale),
    isUtc: false,
  });
}
