import { type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { FIELD_END } from '../sameness/folding.ts';
import { type Search, wholeNames } from './search.ts';

/** The sort by relevance, which only a search has. */
export const RELEVANCE = 'relevance';

/**
 * Matches that are ranked: if more match, those whose name is the search, and then the first ones that PostgreSQL finds, so that a
 * search for a letter costs what one for a name does. Those are the same for each page (`synchronize_seqscans` is off).
 */
export const RANKED_MAX = 200;

/** The weight of a whole word; the beginning of one counts two thirds of it, and the middle a third. */
const WORD = 3_000;
const BEGINNING = 2_000;
const MIDDLE = 1_000;
/** The weight of a name that is the search and nothing more: greater than that of all words together. */
const WHOLE_NAME = 30_000;
/** A typo, and the place in the text, count less than that. */
const TYPO = 300;
const PLACE_MAX = 299;

/** The name of a row in its searched text, as far as it is in the index on names. */
const shownName = sql`left(split_part(search_text, ${sql.lit(FIELD_END)}, 2), 200)`;

/** The SQL by which the rows of a search are ranked. */
export interface RelevanceSql {
  score: RawBuilder<number>;
  /** The condition of the rows whose name is the search, which an index has; undefined if it is too long for one. */
  isWholeName: RawBuilder<boolean> | undefined;
}

/** The relevance of the rows of a search. */
export interface Relevance {
  ranking: Fragment<RelevanceSql>;
  values: Record<string, string | string[]>;
}

/** The score of a form of a word: more for a whole word than for a part of one, and more early in the text (names first) than late. */
function scoreOf(distance: number, word: RawBuilder<unknown>): RawBuilder<number> {
  const counts = (weight: number, text: RawBuilder<unknown>) =>
    sql`when strpos(search_text, ${text}) > 0 then ${sql.lit(weight - distance * TYPO)} - least(strpos(search_text, ${text}), ${sql.lit(PLACE_MAX)})`;
  return sql`case
    ${counts(WORD, sql`' ' || ${word}::text || ' '`)}
    ${counts(BEGINNING, sql`' ' || ${word}::text`)}
    ${counts(MIDDLE, sql`${word}::text`)}
    else 0 end`;
}

/** The parameter of a form of a word. */
const rankName = (term: number, form: number) => `rank ${term} ${form}`;

/** Of each form of each word, the typos in it; and whether the search may be a whole name. */
const ranking = fragment<{ distances: number[][]; hasNames: boolean }, RelevanceSql>(
  ({ distances, hasNames }, param) => {
    const scores = distances.map((forms, term) => {
      const each = forms.map((distance, form) => scoreOf(distance, param(rankName(term, form))));
      return sql`greatest(${sql.join(each)})`;
    });
    const isWholeName = hasNames
      ? sql<boolean>`${shownName} = any(${param('whole names')}::text[])`
      : undefined;
    const whole = isWholeName && sql`case when ${isWholeName} then ${sql.lit(WHOLE_NAME)} else 0 end`;
    return {
      score: sql`${sql.join([...(whole ? [whole] : []), ...scores, sql`0`], sql` + `)}`,
      isWholeName,
    };
  },
);

/**
 * The relevance of records for a search: the sum over its words, each by the form that matches best, and more if the name is the
 * search and nothing else.
 */
export function relevanceOf(search: Pick<Search, 'terms' | 'words'>): Relevance {
  const names = wholeNames(search).map((name) => ` ${name} `);
  const ranks = search.terms.flatMap((forms, term) =>
    forms.map(({ text }, form) => [rankName(term, form), text]),
  );
  const distances = search.terms.map((forms) => forms.map(({ distance }) => distance));
  return {
    ranking: ranking({ distances, hasNames: names.length > 0 }),
    values: { ...Object.fromEntries(ranks), ...(names.length > 0 && { 'whole names': names }) },
  };
}
