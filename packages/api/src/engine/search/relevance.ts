import { type Fragment, fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { FIELD_END } from '../sameness/folding.ts';
import { type Search, wholeNames } from './search.ts';

export const RELEVANCE = 'relevance';

/** More matches: those whose name is the search come first, then the first ones PostgreSQL finds. */
export const RANKED_MAX = 200;

const WORD = 3_000;
const BEGINNING = 2_000;
const MIDDLE = 1_000;
/** A name equal to the search. Greater than all words together. */
const WHOLE_NAME = 30_000;
const TYPO = 300;
const PLACE_MAX = 299;

/** The name in the searched text, as far as it is indexed. */
const shownName = sql`left(split_part(search_text, ${sql.lit(FIELD_END)}, 2), 200)`;

export interface RelevanceSql {
  score: RawBuilder<number>;
  isWholeName: RawBuilder<boolean> | undefined;
}

export interface Relevance {
  ranking: Fragment<RelevanceSql>;
  values: Record<string, string | string[]>;
}

function scoreOf(distance: number, word: RawBuilder<unknown>): RawBuilder<number> {
  const counts = (weight: number, text: RawBuilder<unknown>) =>
    sql`when strpos(search_text, ${text}) > 0 then ${sql.lit(weight - distance * TYPO)} - least(strpos(search_text, ${text}), ${sql.lit(PLACE_MAX)})`;
  return sql`case
    ${counts(WORD, sql`' ' || ${word}::text || ' '`)}
    ${counts(BEGINNING, sql`' ' || ${word}::text`)}
    ${counts(MIDDLE, sql`${word}::text`)}
    else 0 end`;
}

const rankName = (term: number, form: number) => `rank ${term} ${form}`;

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
