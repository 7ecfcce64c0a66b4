import type { Compilable, Kysely, RawBuilder } from 'kysely';
import { type CompiledStatement, compileOnce, type Param, type QueryHints } from './compiled-query.ts';

declare const isConstant: unique symbol;

/** An object that is part of a shape by its identity: its definition is called once, at the top of a module. */
export interface Constant {
  readonly [isConstant]?: never;
}

/** Types of shapes: data, constants and fragments. A function, a date or a buffer is a type error. */
type Data<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : typeof isConstant extends keyof Value
    ? Value
    : Value extends (...values: never) => unknown
      ? never
      : DataIn<Value>;
type DataIn<Members> = { readonly [Name in keyof Members]: Data<Members[Name]> };

/** The keys of constants and of the functions behind fragments. */
const identities = new WeakMap<object, string>();
let count = 0;

function nextIdentity(): string {
  count += 1;
  return `#${count};`;
}

/**
 * Lets shapes contain an object with SQL or functions, such as the definition of a table. A copy of it is none. Call it at the top of
 * a module only.
 */
export function constant<Value extends object>(value: Value): Value & Constant {
  identities.set(value, nextIdentity());
  return value;
}

/** Each kind of value begins with another character, and texts with their length, so that no two values have the same key. */
function keyOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `${value.length}:${value}`;
    case 'boolean':
      return value ? 't' : 'f';
    case 'number':
      return `${value};`;
    case 'undefined':
      return 'u';
    case 'object':
      return value === null ? 'n' : keyOfObject(value);
    default:
      throw new TypeError(`The shape of a statement contains a ${typeof value}`);
  }
}

function keyOfObject(value: object): string {
  if (value instanceof Fragment) return value.key;
  const identity = identities.get(value);
  if (identity !== undefined) return identity;
  if (Array.isArray(value)) {
    let key = '[';
    for (const item of value) key += keyOf(item);
    return `${key}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(
      `The shape of a statement contains a ${value.constructor.name}, which is no constant`,
    );
  return keyOfMembers(value);
}

/** A member that is undefined is the same as none. In another order, members are another key of the same text. */
function keyOfMembers(value: object): string {
  const members = value as Readonly<Record<string, unknown>>;
  let key = '{';
  for (const name in members) {
    const member = members[name];
    if (member !== undefined) key += `${name.length}:${name}${keyOf(member)}`;
  }
  return `${key}}`;
}

/** A part of statements whose SQL depends on a shape, and which is itself a part of shapes. */
export class Fragment<Value = RawBuilder<unknown>, Values = Record<string, unknown>> implements Constant {
  declare readonly [isConstant]?: never;
  readonly #identity: string;
  readonly #shape: unknown;
  readonly #build: (param: Param<Values>) => Value;
  #key: string | undefined;

  constructor(identity: string, shape: unknown, build: (param: Param<Values>) => Value) {
    this.#identity = identity;
    this.#shape = shape;
    this.#build = build;
  }

  /** The key of its function and its shape. */
  get key(): string {
    this.#key ??= this.#identity + keyOf(this.#shape);
    return this.#key;
  }

  /** Its SQL, in a statement with these parameters. */
  sql(param: Param<Values>): Value {
    return this.#build(param);
  }
}

/**
 * Defines a part of statements, such as a condition, by a function at the top of a module:
 *
 *     const equals = fragment<{ column: string }>(({ column }, param) => sql`${sql.ref(column)} = ${param(column)}`);
 *     const isOpen = equals({ column: 'status' });
 *
 * @param build returns the SQL of a shape, or several expressions. It must depend on nothing else.
 */
export function fragment<Shape extends DataIn<Shape>, Value = RawBuilder<unknown>>(
  build: (shape: Shape, param: Param<Record<string, unknown>>) => Value,
): (shape: Shape) => Fragment<Value> {
  const identity = nextIdentity();
  return (shape) => new Fragment(identity, shape, (param) => build(shape, param));
}

/** The caches of all statements. */
const caches: Map<string, unknown>[] = [];

/** Forgets what was compiled, as a new process has nothing compiled. For tests that compare the two. */
export function forgetStatements(): void {
  for (const cache of caches) cache.clear();
}

const SHAPES_MAX = 500;
/** Prepared statements of one definition; shapes that come later run unprepared. */
const PREPARED_MAX = 100;

/**
 * Defines a statement whose SQL depends on a shape: a set of columns, a table, whether the caller is limited. Each shape is compiled
 * once, and its key is made from all of it:
 *
 *     const findBooks = statement<{ isSorted: boolean }, { title: string }>(
 *       ({ isSorted }, param) => sql`
 *         select title from book where author = ${param('author')} ${isSorted ? sql`order by title` : sql``}`,
 *       { isReadOnly: true },
 *     );
 *     const rows = await findBooks({ isSorted: true }).execute(db, { author: 'Austen' });
 *
 * Call it at the top of a module only, where `build` sees nothing of a request. The 500 shapes that were used most recently stay
 * compiled.
 *
 * @param build returns raw SQL, or a query built with `db`, which cannot run queries. It must depend on the shape alone.
 * @param hints properties that the driver cannot tell from the text, which may depend on the shape
 * @throws TypeError, when it is called, if a shape contains anything but data, constants and fragments
 */
export function statement<
  Shape extends DataIn<Shape>,
  Row,
  Values extends object = Record<string, unknown>,
  Tables = unknown,
>(
  build: (shape: Shape, param: Param<Values>, db: Kysely<Tables>) => Compilable<Row> | RawBuilder<Row>,
  hints: Partial<QueryHints> | ((shape: Shape) => Partial<QueryHints>) = {},
): (shape: Shape) => CompiledStatement<Values, Row> {
  const statements = new Map<string, CompiledStatement<Values, Row>>();
  caches.push(statements);
  let prepared = 0;
  let newest: string | undefined;
  const compile = (shape: Shape) => {
    const own = typeof hints === 'function' ? hints(shape) : hints;
    const isPlannedForValues = own.isPlannedForValues === true || prepared >= PREPARED_MAX;
    if (!isPlannedForValues) prepared += 1;
    return compileOnce<Values, Row, Tables>((param, db) => build(shape, param, db), {
      ...own,
      isPlannedForValues,
    });
  };
  return (shape) => {
    const key = keyOf(shape);
    const known = statements.get(key);
    if (known !== undefined && key === newest) return known;
    const found = known ?? compile(shape);
    statements.delete(key);
    statements.set(key, found);
    newest = key;
    const [oldest] = statements.keys();
    if (statements.size > SHAPES_MAX && oldest !== undefined) statements.delete(oldest);
    return found;
  };
}
