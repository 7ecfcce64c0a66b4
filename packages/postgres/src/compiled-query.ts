import { hash } from 'node:crypto';
import {
  type AbortableQueryOptions,
  type Compilable,
  type CompiledQuery,
  Kysely,
  type OperationNode,
  PostgresDialect,
  type QueryExecutorProvider,
  type RawBuilder,
  SelectQueryNode,
  sql,
} from 'kysely';

/** The kinds of statements that share connections: reads by a key, pages of lists, and changes of a record. */
export type Lane = 'keys' | 'pages' | 'changes';

/** Properties of a query that the driver cannot tell from its text. */
export interface QueryHints {
  /**
   * The query neither writes nor locks, so it may be sent again if its connection breaks. Known of a `select` built by
   * Kysely; raw SQL needs the hint.
   */
  isReadOnly: boolean;
  /** The connections it shares with others of its kind, because it is usually short. All else has a connection for itself. */
  lane?: Lane;
  /** Returns every column as the text that PostgreSQL sends: JSON is not parsed, and a number is a string. Required for `pages`. */
  isText?: boolean;
  /** Of these, a long one that is only passed on: each character of it is a byte of its UTF-8. */
  byteColumn?: string;
  /**
   * PostgreSQL plans it each time, for its values: for a list of any length, of which it expects ten, so that it would
   * prefer a plan for unknown values that is bad for many. It is then no prepared statement.
   */
  isPlannedForValues?: boolean;
}

const HINTS = Symbol('hints');

/** The hints of a query, and the name of its prepared statement. */
export interface KnownQuery extends QueryHints {
  name: string | undefined;
}

/** Behind a symbol, so that Kysely's plugins and copies of a compiled query keep it. */
type HintedQuery = CompiledQuery & { readonly [HINTS]?: KnownQuery };

/** The facts about a query that `compileOnce` has compiled; undefined for any other. */
export function knownOf(query: HintedQuery): KnownQuery | undefined {
  return query[HINTS];
}

/** The same query, but not as a prepared statement. */
export function unnamed(query: HintedQuery): HintedQuery {
  return { ...query, [HINTS]: { isReadOnly: isReadOnly(query), ...query[HINTS], name: undefined } };
}

/**
 * Whether a query certainly only reads: its hint says so, or it is a `select` built by Kysely that locks no rows and
 * whose `with` clauses only select too. Raw SQL without the hint counts as a write.
 */
export function isReadOnly(query: HintedQuery): boolean {
  return query[HINTS]?.isReadOnly ?? isReadOnlyNode(query.query);
}

function isReadOnlyNode(node: OperationNode): boolean {
  if (!SelectQueryNode.is(node)) return false;
  if (node.endModifiers !== undefined && node.endModifiers.length > 0) return false;
  return node.with?.expressions.every(({ expression }) => isReadOnlyNode(expression)) ?? true;
}

/** The name of a statement in `pg_prepared_statements`, derived from its text alone. */
export function statementName(text: string): string {
  return `r${hash('sha1', text).slice(0, 20)}`;
}

/** Stands for the value of a named parameter in a query that is not bound yet. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The parameter of that name. The same name may be used in several places. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** Compiles queries without a database. */
const compiler = new Kysely<unknown>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Queries do not run here.')) }),
});

/** A query with what the driver cannot tell from its text. A text that is not used again should be `isPlannedForValues`. */
export function queryOf<Row>(
  query: Compilable<Row> | RawBuilder<Row>,
  hints: Partial<QueryHints>,
): CompiledQuery<Row> {
  if (hints.lane === 'pages' && !hints.isText)
    throw new TypeError('A statement of the lane `pages` returns text (`isText`).');
  const compiled = query.compile(compiler);
  const name = hints.isPlannedForValues ? undefined : statementName(compiled.sql);
  const known: KnownQuery = { isReadOnly: isReadOnly(compiled), ...hints, name };
  return Object.freeze({ ...compiled, [HINTS]: known });
}

/** A query that is compiled once, at its first use, and runs with other values each time. */
export interface CompiledStatement<Values extends object, Row> {
  /**
   * Runs it on a database or in a transaction and returns the rows. Plugins of `db` transform the result but not the
   * query.
   */
  execute(db: QueryExecutorProvider, values: Values, options?: AbortableQueryOptions): Promise<Row[]>;
}

/**
 * A query that is compiled once and run many times, as a prepared statement:
 *
 *     const findBook = compileOnce<{ id: number }, { title: string }>(
 *       (param) => sql`select title from book where id = ${param('id')}`,
 *       { isReadOnly: true, lane: 'keys' },
 *     );
 *     const rows = await findBook.execute(db, { id: 7 });
 *
 * @param build returns raw SQL, or a query built with `db`, which cannot run queries. It is called once: values may
 *   differ between executions, columns and conditions may not. PostgreSQL infers the type of each parameter.
 */
export function compileOnce<Values extends object, Row, Tables = unknown>(
  build: (param: Param<Values>, db: Kysely<Tables>) => Compilable<Row> | RawBuilder<Row>,
  hints: Partial<QueryHints> = {},
): CompiledStatement<Values, Row> {
  const compile = () =>
    queryOf(
      build((name) => sql`${new Placeholder(name)}`, compiler as Kysely<Tables>),
      hints,
    );
  let compiled: ReturnType<typeof compile> | undefined;
  return {
    async execute(db, values, options) {
      compiled ??= compile();
      const parameters = compiled.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      );
      const { rows } = await db.getExecutor().executeQuery<Row>({ ...compiled, parameters }, options);
      return rows;
    },
  };
}

/**
 * An expression without parameters as its compiled SQL, so that queries which contain it do not compile it again.
 * @throws Error if it has parameters
 */
export function inlineSql<Value>(expression: RawBuilder<Value>): RawBuilder<Value> {
  const { sql: text, parameters } = expression.compile(compiler);
  if (parameters.length > 0) throw new Error(`An expression with parameters cannot be inlined: ${text}`);
  return sql.raw(text);
}
