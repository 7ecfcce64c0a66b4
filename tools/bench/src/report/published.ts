import { markdownTable } from './table-text.ts';

/** Figures of what does not run here: other machines, other tables, other clients; or of an earlier run of this bench. */
interface Published {
  what: string;
  figure: string;
  conditions: string;
  source: string;
}

const published: Published[] = [
  {
    what: 'Express 5.3.0 + Prisma 7.10.0; NestJS 12.5.1 + TypeORM 1.1.1; oRPC 1.16.1 + Kysely 0.29.9; PostGraphile 5.1.5',
    figure: '0.32; 0.33; 0.39; 0.35 times the rate of the reference at `get` (Roster 2.26)',
    conditions: 'this bench on 2026-11-23, 2 cores of AMD EPYC; these peers ran in it until then',
    source: 'commit `a2da5f37`',
  },
  {
    what: 'PostgREST',
    figure: '2,068 reads of one row and 1,547 inserts of one row a second',
    conditions: 'unreleased version of October 2020, AWS t3a.nano (2 vCPU), k6 on another machine',
    source: '[supabase/benchmarks-archive, issue 2](https://github.com/supabase/benchmarks-archive/issues/2)',
  },
  {
    what: 'PostgREST',
    figure: 'up to 2,000 requests a second',
    conditions: "its own README: Heroku's free tier",
    source: '[PostgREST](https://github.com/PostgREST/postgrest#performance)',
  },
  {
    what: 'PostgREST',
    figure: '1,205 calls a second of a function that answers 10 records (72,305 in 60 s)',
    conditions: 'measured by the author of NpgsqlRest, k6 with 100 users',
    source: '[NpgsqlRest, performance tests](https://vb-consulting.github.io/npgsqlrest/performances/)',
  },
  {
    what: 'NpgsqlRest; Rust (Actix, tokio-postgres) and Fastify; Go (pgx) and Bun',
    figure: '5,177; 3,000 to 3,800; 2,500 to 2,700 calls a second of a function that answers one record',
    conditions:
      'measured by the authors of NpgsqlRest, December 2025, 8 vCPU, all in Docker on one machine, k6 with 100 users',
    source:
      '[NpgsqlRest, benchmark of 2025](https://npgsqlrest.github.io/blog/postgresql-rest-api-benchmark-2025.html)',
  },
  {
    what: 'Hasura',
    figure: '1,000 queries a second in 50 MB of memory',
    conditions: 'its own post of January 2020, which does not name the machine',
    source:
      '[Hasura on dev.to](https://dev.to/hasurahq/blazing-fast-graphql-execution-with-query-caching-postgres-prepared-statements-53pb)',
  },
];

/** The section of the report. */
export function publishedTable(): string {
  const rows = published.map(({ what, figure, conditions, source }) => [what, figure, conditions, source]);
  return [
    '## What others have published',
    'Of what is not in this run. None of it can be compared with the tables above, but by its ratio.',
    markdownTable(['', 'published', 'conditions', 'source'], rows, { isText: true }),
  ].join('\n\n');
}
