import {
  type AbortableQueryOptions,
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely';
import { type HintedQuery, isReadOnly, withHints } from './query-hints.ts';

/** Stands for the value of a named parameter in a query that is not bound yet. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The parameter of that name. The same name may be used in several places. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

export interface CompileOptions {
  /**
   * The query only reads, so it may share a pipelined connection and be sent again if that breaks. Known of a `select`
   * built by Kysely; raw SQL needs the option, and must then neither write nor lock.
   */
  reads?: boolean;
  /**
   * If it runs outside a transaction while every connection is busy, it may be committed in one transaction with others.
   * Each still succeeds or fails on its own. It must do nothing that a rollback does not undo.
   */
  sharesCommit?: boolean;
  /**
   * Requests its columns in PostgreSQL's binary format and returns them as strings of bytes (latin1), without decoding
   * them. Only text, varchar, json and bytea columns are allowed; in the binary format these are their plain bytes.
   * It saves PostgreSQL the conversion to C strings, and this process the conversion from UTF-8 to UTF-16 and back.
   */
  isBinary?: boolean;
}

/** Compiles queries without a database. */
const compiler = new Kysely<unknown>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
});

/** A query that is compiled once, at its first use, and runs with other values each time. */
export class CompiledStatement<Values extends object, Row> {
  readonly #build: () => Compilable<Row> | RawBuilder<Row>;
  readonly #options: CompileOptions;
  #compiled: (CompiledQuery<Row> & HintedQuery) | undefined;

  constructor(build: () => Compilable<Row> | RawBuilder<Row>, options: CompileOptions) {
    this.#build = build;
    this.#options = options;
  }

  /**
   * Runs it on a database or in a transaction and returns the rows. Plugins of `db` transform the result but not the
   * query.
   */
  async execute(db: QueryExecutorProvider, values: Values, options?: AbortableQueryOptions): Promise<Row[]> {
    const compiled = this.#compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.getExecutor().executeQuery<Row>({ ...compiled, parameters }, options);
    return rows;
  }

  #compile(): CompiledQuery<Row> & HintedQuery {
    if (this.#compiled === undefined) {
      const query = this.#build().compile(compiler);
      const { reads = isReadOnly(query), sharesCommit, isBinary } = this.#options;
      this.#compiled = withHints(query, { isReadOnly: reads, allowsGroupCommit: sharesCommit, isBinary });
    }
    return this.#compiled;
  }
}

/**
 * A query that is compiled once and run many times:
 *
 *     const findBook = compileOnce<{ id: number }, { title: string }>(
 *       (param) => sql`select title from book where id = ${param('id')}`,
 *       { reads: true },
 *     );
 *     const rows = await findBook.execute(db, { id: 7 });
 *
 * @param build returns raw SQL, or a query built with `db`, which cannot run queries. It is called once: values may
 *   differ between executions, columns and conditions may not. PostgreSQL infers the type of each parameter.
 */
export function compileOnce<Values extends object, Row, Tables = unknown>(
  build: (param: Param<Values>, db: Kysely<Tables>) => Compilable<Row> | RawBuilder<Row>,
  options: CompileOptions = {},
): CompiledStatement<Values, Row> {
  const param: Param<Values> = (name) => sql`${new Placeholder(name)}`;
  return new CompiledStatement(() => build(param, compiler as Kysely<Tables>), options);
}

const VARIANTS_MAX = 500;

/**
 * A cache of the variants of one query, for example of a list with any combination of filters. Each variant is compiled
 * once. The cache holds the 500 variants used most recently; any other is compiled again.
 */
export function compiledVariants<Row>(
  options: CompileOptions = {},
): (
  variant: string,
  build: (param: Param<Record<string, unknown>>) => RawBuilder<Row>,
) => CompiledStatement<Record<string, unknown>, Row> {
  const variants = new Map<string, CompiledStatement<Record<string, unknown>, Row>>();
  return (variant, build) => {
    const statement = variants.get(variant) ?? compileOnce<Record<string, unknown>, Row>(build, options);
    variants.delete(variant);
    variants.set(variant, statement);
    const [oldest] = variants.keys();
    if (variants.size > VARIANTS_MAX && oldest !== undefined) variants.delete(oldest);
    return statement;
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
