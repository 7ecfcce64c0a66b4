import { columnsOf, countryName, type Importable } from '@roster/import';
import { distance } from 'fastest-levenshtein';
import { type RawBuilder, sql } from 'kysely';
import { andIsWithin } from '../engine/office-limit.ts';
import { folded } from '../engine/sameness/folding.ts';
import type { CallContext } from '../trpc/context.ts';
import { importableOf } from './file-format.ts';
import type { ImportErrorGroups } from './schemas.ts';
import type { StoredImport } from './stored-import.ts';

const GROUPS_MAX = 200;
const VALUES_MAX = 50;
const SUGGESTIONS_MAX = 3;
/** Offices whose names are compared with those that a file names. */
const OFFICES_MAX = 20_000;
/** The part of its letters in which a text may differ from the one that was meant. */
const DISTANCE_MAX = 0.4;

/** The errors of an import, with what errors of one kind have in common: the message without texts and numbers. */
const errorsOf = (id: string): RawBuilder<unknown> => sql`(
  select row, "column", code, coalesce(value, '') as value, detail,
    regexp_replace(detail, '"([^"\\\\]|\\\\.)*"|[0-9a-f-]{36}|[0-9]+', '…', 'g') as kind
  from import_error where import_id = ${id}
) as error`;

interface Group {
  column: string;
  code: string;
  kind: string;
  detail: string;
  rows: number;
  values: number;
}

type Kind = Pick<Group, 'column' | 'code' | 'kind'>;
const keyOf = ({ column, code, kind }: Kind) => JSON.stringify([column, code, kind]);

async function findGroups({ db }: CallContext, id: string): Promise<{ total: number; groups: Group[] }> {
  const { rows: groups } = await sql<Group>`
    select "column", code, kind, min(detail) as detail, count(distinct row)::int as rows, count(distinct value)::int as values
    from ${errorsOf(id)} group by "column", code, kind order by rows desc, "column", code, kind
    limit ${sql.lit(GROUPS_MAX)}`.execute(db);
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from import_row where import_id = ${id} and outcome = 'error'`.execute(db);
  return { total: rows[0]?.total ?? 0, groups };
}

/** The most frequent texts of each group. */
async function findValues({ db }: CallContext, id: string) {
  const { rows } = await sql<Kind & { value: string; rows: number }>`
    select "column", code, kind, value, rows from (
      select *, row_number() over (partition by "column", code, kind order by rows desc, first) as place from (
        select "column", code, kind, value, count(distinct row)::int as rows, min(row) as first
        from ${errorsOf(id)} group by "column", code, kind, value
      ) as counted
    ) as ranked where place <= ${sql.lit(VALUES_MAX)} order by place`.execute(db);
  return Map.groupBy(rows, keyOf);
}

/** The names of the offices within the limit, each once. */
async function officeNames({ db, limit }: CallContext): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from office where name is not null${andIsWithin('office.id', limit)} limit ${sql.lit(OFFICES_MAX)}`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** A text that may have been meant, folded once for all comparisons. */
interface Choice {
  text: string;
  folded: string;
  words: string;
}

const sortedWords = (text: string) => text.split(' ').toSorted().join(' ');

function choicesOf(texts: readonly string[]): Choice[] {
  return texts.map((text) => {
    const bare = folded(text).replaceAll(/\s+/g, ' ').trim();
    return { text, folded: bare, words: sortedWords(bare) };
  });
}

/** The texts nearest to one by letters, in their order or with the words in any order, or that it is the beginning of. */
function nearest(text: string, choices: readonly Choice[]): string[] {
  const given = choicesOf([text])[0];
  if (given === undefined || given.folded === '') return [];
  const farOf = (choice: Choice) => {
    const length = Math.max(choice.folded.length, given.folded.length, 1);
    const letters = Math.min(distance(choice.folded, given.folded), distance(choice.words, given.words));
    const isPart = given.folded.length > 3 && choice.folded.includes(given.folded);
    return Math.min(letters / length, isPart ? 0.3 : 1);
  };
  return choices
    .map((choice) => ({ text: choice.text, far: farOf(choice) }))
    .filter(({ far }) => far <= DISTANCE_MAX)
    .toSorted((one, other) => one.far - other.far)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ text: found }) => found);
}

/** Mends the usual mistakes in an email address; empty if that leads to no address. */
function mendedEmail(text: string): string[] {
  const mended = text
    .trim()
    .replace(/^mailto:/i, '')
    .replaceAll(/\s*[([<]at[)\]>]\s*|\s+at\s+/gi, '@')
    .replaceAll(/\s*[([<]dot[)\]>]\s*/gi, '.')
    .replaceAll(/\s+/g, '')
    .replaceAll(',', '.')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/@{2,}/g, '@')
    .replace(/^.*<(.*@.*)>.*$/, '$1')
    .replace(/[.;:>]+$/, '');
  return mended !== text && /^[^\s@<>;]+@[^\s@<>;]+\.[^\s@<>;.]{2,}$/.test(mended) ? [mended] : [];
}

/** Makes a function that suggests what the text of a cell was meant to be. */
function suggester(ctx: CallContext, importable: Importable) {
  let offices: Promise<Choice[]> | undefined;
  const columns = new Map(columnsOf(importable).map((column) => [column.field, column]));
  return async (field: string | null, { code }: Kind, value: string): Promise<string[]> => {
    if (field === null || value === '') return [];
    if (field === importable.office?.name && code === 'not_found') {
      offices ??= officeNames(ctx).then(choicesOf);
      return nearest(value, await offices);
    }
    const { choices, isCountry } = columns.get(field) ?? {};
    if (choices !== undefined)
      return nearest(value, choicesOf(isCountry ? choices.map((one) => countryName(one)) : choices));
    if (field === 'email' && code === 'invalid_format') return mendedEmail(value);
    if (field.endsWith('website') || field.endsWith('Url'))
      return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(value) ? [`https://${value}`] : [];
    return [];
  };
}

/** The ignored columns that have a text in rows with an error, those whose names share a word with the field first. */
async function findUnused(
  { db }: CallContext,
  id: string,
  {
    group,
    fields,
    rank,
  }: { group: Group; fields: StoredImport['settings']['fields']; rank: (name: string) => number },
): Promise<{ column: string; rows: number }[]> {
  const unused = fields.flatMap(({ name, field }, place) =>
    field === null && rank(name) > 0 ? [{ name, place }] : [],
  );
  const likely = unused.toSorted((one, other) => rank(other.name) - rank(one.name)).slice(0, SUGGESTIONS_MAX);
  if (likely.length === 0) return [];
  const counts = likely.map(
    ({ place }) => sql`count(*) filter (where trim(coalesce(cells ->> ${sql.lit(place)}, '')) <> '')::int`,
  );
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts from import_row
    where import_id = ${id} and row in (
      select row from import_error where import_id = ${id} and "column" = ${group.column} and code = ${group.code}
    )`.execute(db);
  return likely
    .map(({ name }, place) => ({ column: name, rows: rows[0]?.counts[place] ?? 0 }))
    .filter((found) => found.rows > 0);
}

/** Groups the errors of an import by column and kind, with what the texts of cells were probably meant to be. */
export async function groupErrors(
  ctx: CallContext,
  {
    id,
    resource,
    stored: { settings },
  }: { id: string; resource: Parameters<typeof importableOf>[0]; stored: StoredImport },
): Promise<ImportErrorGroups> {
  const [{ total, groups }, values] = [await findGroups(ctx, id), await findValues(ctx, id)];
  const importable = importableOf(resource);
  const suggest = suggester(ctx, importable);
  const { headerWords, headerReader } = await import('@roster/import');
  const read = headerReader(importable);
  const fieldOf = (column: string) => {
    const mapped = settings.fields.find(({ name }) => name === column);
    if (mapped !== undefined) return mapped.field;
    const meaning = column === '' ? undefined : read(column.replace('.0.', '[0].'));
    return meaning?.kind === 'column' ? meaning.column.field : null;
  };
  const shown = [];
  for (const group of groups) {
    const { kind: _, values: valuesCount, ...named } = group;
    const field = fieldOf(group.column);
    const texts = [];
    for (const { value, rows } of values.get(keyOf(group)) ?? [])
      texts.push({ value, rows, suggestions: await suggest(field, group, value) });
    const words = new Set(headerWords(field ?? ''));
    const rank = (name: string) => headerWords(name).filter((word) => words.has(word)).length;
    const isMissing = group.code === 'required' && field !== null;
    const unused = isMissing ? await findUnused(ctx, id, { group, fields: settings.fields, rank }) : [];
    shown.push({ ...named, field, values: texts, valuesCount, unused });
  }
  return { rows: total, groups: shown };
}
