import { type RawBuilder, sql } from 'kysely';
import type { Param } from '../sql/column-mapping.ts';
import type { SearchTerm, WordForm } from './search.ts';

/** The sort by relevance, which only a search has. */
export const RELEVANCE = 'relevance';

/**
 * Matches that are ranked: if more match, the first ones that PostgreSQL finds, so that a search for a letter costs what one for a
 * name does. Those are the same for each page (`synchronize_seqscans` is off).
 */
export const RANKED_MAX = 200;

/** The weight of a whole word; the beginning of one counts two thirds of it, and the middle a third. */
const WORD = 3_000;
const BEGINNING = 2_000;
const MIDDLE = 1_000;
/** A typo, and the place in the text, count less than that. */
const TYPO = 300;
const PLACE_MAX = 299;

/** The score of the rows of a search. */
export interface Relevance {
  /** A key of everything that the SQL text of the score depends on. */
  shape: string;
  /** Reads the searched text with a space before and after it, as `padded`. */
  score: (param: Param) => RawBuilder<number>;
  values: Record<string, string>;
}

/** The score of a form of a word: more for a whole word than for a part of one, and more early in the text (names first) than late. */
function scoreOf({ distance }: WordForm, word: RawBuilder<unknown>): RawBuilder<number> {
  const counts = (weight: number, text: RawBuilder<unknown>) =>
    sql`when strpos(padded, ${text}) > 0 then ${sql.lit(weight - distance * TYPO)} - least(strpos(padded, ${text}), ${sql.lit(PLACE_MAX)})`;
  return sql`case
    ${counts(WORD, sql`' ' || ${word}::text || ' '`)}
    ${counts(BEGINNING, sql`' ' || ${word}::text`)}
    ${counts(MIDDLE, sql`${word}::text`)}
    else 0 end`;
}

/** The relevance of records for a search: the sum over its words, each by the form that matches best. */
export function relevanceOf(terms: SearchTerm[]): Relevance {
  const named = terms.map((forms, term) =>
    forms.map((form, index) => ({ form, name: `rank ${term} ${index}` })),
  );
  return {
    shape: terms.map((forms) => forms.map(({ distance }) => distance).join('')).join(),
    score: (param) => {
      const scores = named.map(
        (forms) => sql`greatest(${sql.join(forms.map(({ form, name }) => scoreOf(form, param(name))))})`,
      );
      return sql`${sql.join(scores, sql` + `)}`;
    },
    values: Object.fromEntries(named.flat().map(({ form, name }) => [name, form.text])),
  };
}
