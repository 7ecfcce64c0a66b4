import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { invalidParameter } from '../../errors/roster-error.ts';
import { RawJson } from '../json/raw-json.ts';
import type { JsonShape } from '../json/record-json.ts';
import { highlightsIn } from '../search/highlights.ts';
import { RELEVANCE } from '../search/relevance.ts';
import { type SearchTerm, searchFor } from '../search/search.ts';
import { similarWords } from '../search/similar-words.ts';
import type { Listable, ListInput, ListRequest, Page } from './listable.ts';
import { cursorsOf, itemsOn, type ReadPage } from './page-ends.ts';
import { pageStatement } from './page-statement.ts';

export type { Listable, Page } from './listable.ts';

async function pageRow<Row extends { id: string }>(
  db: Kysely<Database>,
  request: ListRequest<Row>,
  reading: { shown: JsonShape<unknown>; isMaterialized: boolean },
) {
  const { statement, values, ...page } = pageStatement(request, reading);
  const [row] = await statement.execute(db, values);
  if (row === undefined) throw new Error('a page is one row');
  if (row.items === null) return pageRow(db, request, { ...reading, isMaterialized: false });
  return { ...page, row };
}

/**
 * One page, by keyset: it costs the same at any position. Items and total are from one snapshot. Throws
 * `invalid_cursor`, `cursor_mismatch` or `invalid_parameter`.
 */
export async function readPage<Row extends { id: string }, Input extends ListInput, Own extends object>(
  db: Kysely<Database>,
  request: ListRequest<Row, Input, Own>,
): Promise<RawJson<Page<Row>>> {
  const { resource, expanded, input } = request;
  checkSearch(input);
  const shown = expanded ?? resource;
  const search = input.q === undefined ? undefined : await searchFor(db, resource, input.q);
  const { row, place, terms: found } = await searchedPage(db, { ...request, search }, shown);
  const items = itemsOn(row, place);
  // See `RawJson.take`: promises keep the row for a long time.
  row.items = null;
  const { nextCursor, prevCursor } = cursorsOf(row, place);
  const rest = [
    ...(nextCursor === undefined ? [] : [`,"nextCursor":${JSON.stringify(nextCursor)}`]),
    ...(prevCursor === undefined ? [] : [`,"prevCursor":${JSON.stringify(prevCursor)}`]),
    ...(row.total === undefined ? [] : [`,"total":${row.total}`]),
    ...(place.similar === undefined ? [] : [',"isSimilar":true']),
    ...(input.highlight ? [`,"highlights":${highlightsOf(items, resource, found ?? [])}`] : []),
  ];
  const end = Buffer.from(`]${rest.join('')}}`).toString('latin1');
  return new RawJson(['{"items":[', items, end], { nextCursor, prevCursor, isBytes: true });
}

export async function listPage<Row extends { id: string }, Input extends ListInput, Own extends object>(
  db: Kysely<Database>,
  request: ListRequest<Row, Input, Own>,
): Promise<Page<Row>> {
  return (await readPage(db, request)).decode();
}

function checkSearch({ q, sort, startAt }: ListInput): void {
  if (sort !== RELEVANCE) return;
  if (q === undefined) throw invalidParameter('sort', 'not_allowed', `${RELEVANCE} requires q`);
  if (startAt !== undefined)
    throw invalidParameter('startAt', 'not_allowed', `is not a value of ${RELEVANCE}`);
}

/** A search without results becomes one for similar words. Its cursors contain them, for all pages. */
async function searchedPage<Row extends { id: string }>(
  db: Kysely<Database>,
  request: ListRequest<Row>,
  shown: JsonShape<unknown>,
) {
  const { resource, input, search, limit } = request;
  const reading = { shown, isMaterialized: true };
  const page = await pageRow(db, request, reading);
  if (search === undefined || input.cursor !== undefined || hasRecords(page.row)) return page;
  const similar = await similarWords(db, resource, { terms: search.terms, limit });
  if (similar === undefined) return page;
  const similarPage = await pageRow(db, { ...request, similar }, reading);
  return hasRecords(similarPage.row) ? similarPage : page;
}

function hasRecords({ items, has_before: before }: ReadPage): boolean {
  return items !== '' || (before !== undefined && before !== null);
}

function highlightsOf(items: string, resource: Listable, terms: SearchTerm[]): string {
  const records: unknown[] = JSON.parse(`[${Buffer.from(items, 'latin1')}]`);
  return JSON.stringify(highlightsIn(records, resource, terms));
}
