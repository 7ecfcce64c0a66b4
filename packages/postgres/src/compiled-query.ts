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
import { type Declared, declare, isRead } from './query-hints.ts';

/** Stands in a statement for the value of that name. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Where a value goes, for `prepared`. The same name may be used in several places. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

interface PreparedOptions {
  /**
   * That the statement only reads, so that it may share a connection and be sent again when that breaks. A select built
   * by Kysely is known to; raw SQL has to say so, and must then hold nothing that writes or locks.
   */
  reads?: boolean;
  /**
   * That where it writes it may share a commit with others which come while every connection is busy: each still happens
   * as a whole or not at all, and none of them because another fails. Its text must be all of a transaction, and do
   * nothing that a rollback does not undo.
   */
  sharesCommit?: boolean;
  /**
   * That its columns are asked for in PostgreSQL's binary format, which of text, of JSON and of UTF-8 in a bytea is what
   * they hold, and read as that: strings in which each character is a byte. It spares PostgreSQL making C strings of them and
   * measuring those, and us making UTF-16 of what goes on as UTF-8. Other types are an error.
   */
  isBinary?: boolean;
}

/** Builds statements without a database. */
const builder = new Kysely<unknown>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
});

/** A statement that was built once, to be run with other values each time. */
export class Prepared<Values extends object, Row> {
  readonly #build: () => Compilable<Row> | RawBuilder<Row>;
  readonly #options: PreparedOptions;
  #compiled: (CompiledQuery<Row> & Declared) | undefined;

  constructor(build: () => Compilable<Row> | RawBuilder<Row>, options: PreparedOptions) {
    this.#build = build;
    this.#options = options;
  }

  /**
   * The rows, for these values; on `db`, or in the transaction where `db` is one. Plugins of `db` see the result but
   * not the building of the statement.
   */
  async execute(db: QueryExecutorProvider, values: Values, options?: AbortableQueryOptions): Promise<Row[]> {
    const compiled = this.#compile();
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await db.getExecutor().executeQuery<Row>({ ...compiled, parameters }, options);
    return rows;
  }

  #compile(): CompiledQuery<Row> & Declared {
    if (this.#compiled === undefined) {
      const query = this.#build().compile(builder);
      const { reads = isRead(query), ...declared } = this.#options;
      this.#compiled = declare(query, { reads, ...declared });
    }
    return this.#compiled;
  }
}

/**
 * A statement built and compiled once, at its first use, and run many times:
 *
 *     const findOffice = prepared<{ id: string }, { record: Office }>(
 *       (param) => sql`select ${officeRecord} as record from office where id = ${param('id')}`,
 *       { reads: true },
 *     );
 *     const rows = await findOffice.execute(db, { id });
 *
 * `build` answers raw SQL or one of Kysely's builders (`db` is there to build with, not to ask). The text is fixed by then:
 * a value may change, a column or a condition may not. PostgreSQL takes a parameter's type from where it stands.
 */
export function prepared<Values extends object, Row, Tables = unknown>(
  build: (param: Param<Values>, db: Kysely<Tables>) => Compilable<Row> | RawBuilder<Row>,
  options: PreparedOptions = {},
): Prepared<Values, Row> {
  const param: Param<Values> = (name) => sql`${new Placeholder(name)}`;
  return new Prepared(() => build(param, builder as Kysely<Tables>), options);
}

const SHAPES_MAX = 500;

/**
 * Statements of one kind that come in many shapes, such as lists with one filter or another: each shape is built once.
 * The one used longest ago gives way beyond 500, which costs only its being built again.
 */
export function preparedShapes<Row>(
  options: PreparedOptions = {},
): (
  shape: string,
  build: (param: Param<Record<string, unknown>>) => RawBuilder<Row>,
) => Prepared<Record<string, unknown>, Row> {
  const shapes = new Map<string, Prepared<Record<string, unknown>, Row>>();
  return (shape, build) => {
    const known = shapes.get(shape) ?? prepared<Record<string, unknown>, Row>(build, options);
    shapes.delete(shape);
    shapes.set(shape, known);
    const [oldest] = shapes.keys();
    if (shapes.size > SHAPES_MAX && oldest !== undefined) shapes.delete(oldest);
    return known;
  };
}

/**
 * An expression without values as the text it becomes, so that statements around it need not build it again.
 * Throws where it has values.
 */
export function fixed<Value>(expression: RawBuilder<Value>): RawBuilder<Value> {
  const { sql: text, parameters } = expression.compile(builder);
  if (parameters.length > 0) throw new Error(`an expression with values is not fixed: ${text}`);
  return sql.raw(text);
}
