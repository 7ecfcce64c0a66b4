import { z } from 'zod';
import { type Bytes, textOf } from './bytes.ts';
import { ordersIn, patternOf } from './text-pattern.ts';

/**
 * Records as PostgreSQL wrote them. To make objects of a page, to check them and to write them as JSON again costs
 * several times what all else about a request does, and the result is the text there was. So for doors that send JSON
 * (`takesText` of the context), the text itself is checked, by a regular expression made of the schema, and sent.
 */

/** What a door needs of an answer beside its text. */
interface Shown {
  version?: number;
  nextCursor?: string;
}

/** JSON that holds to the schema of its procedure. A procedure answers it, instead of an object, to those who take it. */
export class CheckedText implements Shown {
  #parts: readonly Bytes[];
  declare readonly version?: number;
  declare readonly nextCursor?: string;

  constructor(parts: readonly Bytes[], shown: Shown) {
    this.#parts = parts;
    Object.assign(this, shown);
  }

  /**
   * Its parts, one after another, and only once. What waited for it, such as every promise it came through, may live on
   * until the collector looks at what is old, which is seldom, and is not to keep a page of records till then.
   */
  take(): readonly Bytes[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}

/** The schema, whose `parse` lets pass what was checked as text. To be used before the schema is given to a procedure. */
export function orText<Schema extends z.ZodType>(schema: Schema): Schema {
  const { parse, parseAsync } = schema;
  schema.parse = (value, params) =>
    value instanceof CheckedText ? (value as never) : (parse(value, params) as never);
  schema.parseAsync = async (value, params) =>
    value instanceof CheckedText ? (value as never) : ((await parseAsync(value, params)) as never);
  return schema;
}

interface PageParts {
  /** Records on it at most. */
  limit: number;
  /** How many records there are on all pages, if that was asked for. */
  total: number | undefined;
  /** The cursor of the page after one that ends with this record. */
  cursorOf: (last: { id: string }) => string;
}

/** How often a check takes another order of names for the usual one, so that it does not do so for ever. */
const LESSONS_MAX = 100;

/** Checks texts of one schema. Not every valid one is known to be: those that are not are to be parsed, and teach it. */
export class TextCheck {
  readonly #schema: z.ZodObject;
  readonly #orders = new Map<string, string[]>();
  #pattern: RegExp;
  #lessons = 0;

  /** Throws for a schema that cannot be checked as text. */
  constructor(schema: z.ZodObject) {
    this.#schema = schema;
    this.#pattern = this.#compiled();
  }

  #compiled(): RegExp {
    return new RegExp(patternOf(this.#schema, this.#orders), 'y');
  }

  /** Where the value that begins at `start` ends, exclusively; -1 where it is not known to be valid. */
  #endOf(text: Bytes, start: number): number {
    this.#pattern.lastIndex = start;
    return this.#pattern.test(text) ? this.#pattern.lastIndex : -1;
  }

  /** A text that is one record; undefined where it is not known to be valid. */
  record(text: Bytes): CheckedText | undefined {
    this.#pattern.lastIndex = 0;
    const match = this.#pattern.exec(text);
    if (match === null || this.#pattern.lastIndex !== text.length) return undefined;
    return new CheckedText([text], { version: Number(match.groups?.version) });
  }

  /**
   * A page of records that stand one after another with a comma between two: as many as there may be, and of what follows
   * that there is more. Undefined where one of them is not known to be valid.
   */
  page(texts: Bytes, { limit, total, cursorOf }: PageParts): CheckedText | undefined {
    let count = 0;
    let last = { start: 0, end: 0 };
    for (let start = 0; start < texts.length; ) {
      const end = this.#endOf(texts, start);
      if (end === -1 || (end < texts.length && texts[end] !== ',')) return undefined;
      count += 1;
      if (count <= limit) last = { start, end };
      start = end + 1;
    }
    const isLast = count <= limit;
    const nextCursor = isLast ? undefined : cursorOf(JSON.parse(textOf(texts.slice(last.start, last.end))));
    const rest = [
      ...(nextCursor === undefined ? [] : [`,"nextCursor":${JSON.stringify(nextCursor)}`]),
      ...(total === undefined ? [] : [`,"total":${total}`]),
    ];
    const items = isLast ? texts : texts.slice(0, last.end);
    return new CheckedText(['{"items":[', items, `]${rest.join('')}}`], {
      ...(nextCursor && { nextCursor }),
    });
  }

  /**
   * To be told of a value whose text was not known to be valid: where it is, texts with their names in its orders will be.
   * Answers whether there was anything to learn.
   */
  learn(value: unknown): boolean {
    const news = ordersIn(value).filter(([at, names]) => !this.#knows(at, names));
    if (news.length === 0 || this.#lessons >= LESSONS_MAX || !this.#schema.safeParse(value).success)
      return false;
    this.#lessons += 1;
    for (const [at, names] of news) this.#orders.set(at, names);
    this.#pattern = this.#compiled();
    return true;
  }

  /** Whether names come in the order that is usual there, if some of it are left out. */
  #knows(at: string, names: string[]): boolean {
    const usual = this.#orders.get(at)?.filter((name) => names.includes(name)) ?? [];
    return usual.join() === names.join();
  }
}

const checks = new WeakMap<z.ZodType, TextCheck>();

/** The check of a schema, one for all who ask. */
export function checkOf(schema: z.ZodType): TextCheck {
  if (!(schema instanceof z.ZodObject)) throw new Error('only the text of an object can be checked');
  const check = checks.get(schema) ?? new TextCheck(schema);
  checks.set(schema, check);
  return check;
}
