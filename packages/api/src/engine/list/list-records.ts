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

/** Reads a page. Uses the materialised JSON if all of it has the current schema version, and builds all of it otherwise. */
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
 * One page of a list, by keyset: it costs the same wherever it begins. Items and total are of one snapshot.
 * Throws `invalid_cursor`, `cursor_mismatch`, and `invalid_parameter` if `startAt` is no value of the sort, or what only a
 * search has is asked for without one.
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
  // As `RawJson.take` does: the promises that brought the row keep it for long.
  row.items = null;
  const { nextCursor, prevCursor } = cursorsOf(row, place);
  const rest = [
    ...(nextCursor === undefined ? [] : [`,"nextCursor":${JSON.stringify(nextCursor)}`]),
    ...(prevCursor === undefined ? [] : [`,"prevCursor":${JSON.stringify(prevCursor)}`]),
    ...(row.total === undefined ? [] : [`,"total":${row.total}`]),
    ...(place.similar === undefined ? [] : [',"isSimilar":true']),
    ...(input.highlight ? [`,"highlights":${highlightsOf(items, resource, found ?? [])}`] : []),
  ];
  return new RawJson(['{"items":[', items, `]${rest.join('')}}`], { nextCursor, prevCursor });
}

/** One page of a list, decoded; see `readPage`. */
export async function listPage<Row extends { id: string }, Input extends ListInput, Own extends object>(
  db: Kysely<Database>,
  request: ListRequest<Row, Input, Own>,
): Promise<Page<Row>> {
  return (await readPage(db, request)).decode();
}

/** Rejects what only a search has, in a list without one. */
function checkSearch({ q, sort, startAt }: ListInput): void {
  if (sort !== RELEVANCE) return;
  if (q === undefined) throw invalidParameter('sort', 'not_allowed', `${RELEVANCE} requires q`);
  if (startAt !== undefined)
    throw invalidParameter('startAt', 'not_allowed', `is not a value of ${RELEVANCE}`);
}

/**
 * The first page of a search that finds nothing is that of the search for similar words, if records have them. Its cursors
 * have the words, so that the other pages are of the same list.
 */
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

/** Whether records are on a first page, or before it. */
function hasRecords({ items, has_before: before }: ReadPage): boolean {
  return items !== '' || (before !== undefined && before !== null);
}

function highlightsOf(items: string, { fields = {} }: Listable, terms: SearchTerm[]): string {
  const records: unknown[] = JSON.parse(`[${items}]`);
  return JSON.stringify(highlightsIn(records, fields, terms));
}
