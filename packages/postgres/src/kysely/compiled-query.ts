import {
  type AbortableQueryOptions,
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely';
import { isReadOnly, type QueryHints, withHints } from '../query-hints.ts';

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
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
});

/** A query that is compiled once, at its first use, and runs with other values each time. */
interface CompiledStatement<Values extends object, Row> {
  /**
   * Runs it on a database or in a transaction and returns the rows. Plugins of `db` transform the result but not the
   * query.
   */
  execute(db: QueryExecutorProvider, values: Values, options?: AbortableQueryOptions): Promise<Row[]>;
}

/**
 * A query that is compiled once and run many times:
 *
 *     const findBook = compileOnce<{ id: number }, { title: string }>(
 *       (param) => sql`select title from book where id = ${param('id')}`,
 *       { isReadOnly: true },
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
  const compile = () => {
    const query = build((name) => sql`${new Placeholder(name)}`, compiler as Kysely<Tables>).compile(
      compiler,
    );
    return withHints(query, { isReadOnly: isReadOnly(query), ...hints });
  };
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

const VARIANTS_MAX = 500;

/**
 * A cache of the variants of one query, for example of a list with any combination of filters. Each variant is compiled
 * once. The cache holds the 500 variants used most recently; any other is compiled again.
 */
export function compiledVariants<Row>(
  hints: Partial<QueryHints> = {},
): (
  variant: string,
  build: (param: Param<Record<string, unknown>>) => RawBuilder<Row>,
) => CompiledStatement<Record<string, unknown>, Row> {
  const variants = new Map<string, CompiledStatement<Record<string, unknown>, Row>>();
  let newest: string | undefined;
  return (variant, build) => {
    const known = variants.get(variant);
    if (known !== undefined && variant === newest) return known;
    const statement = known ?? compileOnce<Record<string, unknown>, Row>(build, hints);
    variants.delete(variant);
    variants.set(variant, statement);
    newest = variant;
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
