import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, stateDirectory } from './environment.ts';
import { usageError } from './errors/errors.ts';
import { commandLine } from './invocation.ts';
import { replacePrivate } from './private-files.ts';

/** The ids that lists have shown by resource, newest last. */
type Shown = Readonly<Record<string, readonly string[]>>;

/** Ids stored for each resource of a service. */
const STORED_MAX = 1_000;
/** Minimum length of a short id: 24 random bits of a UUIDv7, which begins with a timestamp. */
const LENGTH_MIN = 6;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ending = /^[0-9a-f-]{4,35}$/i;

/** Whether a text may be the end of an id and is not a whole id. */
export function isShortId(text: string): boolean {
  return ending.test(text) && !uuid.test(text);
}

/** The number of last characters that distinguish these ids. */
function distinguishingLength(ids: readonly string[]): number {
  for (let length = LENGTH_MIN; length < 36; length += 1)
    if (new Set(ids.map((id) => id.slice(-length))).size === ids.length) return length;
  return 36;
}

/**
 * Short ids: the last characters of the ids that lists on this computer have shown. The last 1,000 ids of each resource
 * and service are stored in a file that only its owner can read. If there is no directory for the file, ids are shown
 * whole.
 */
export class ShortIds {
  readonly #file: string | undefined;
  readonly #env: Environment;

  constructor(env: Environment, url: string) {
    this.#env = env;
    const directory = stateDirectory(env);
    const service = createHash('sha256').update(url.replace(/\/+$/, '')).digest('hex').slice(0, 24);
    this.#file = directory && join(directory, 'ids', `${service}.json`);
  }

  /** Stores these ids and returns a function that shortens each of them. */
  shorten(resource: string, ids: readonly string[]): (id: string) => string {
    const shown = this.#read();
    const known = [...new Set([...(shown[resource] ?? []).filter((id) => !ids.includes(id)), ...ids])].slice(
      -STORED_MAX,
    );
    if (!this.#write({ ...shown, [resource]: known })) return (id) => id;
    const length = distinguishingLength([...new Set([...known, ...ids])]);
    return (id) => (uuid.test(id) ? id.slice(-length) : id);
  }

  /** The id that ends in a text. Throws a usage error if no stored id does, or several do. */
  resolve(resources: readonly string[], text: string): string {
    const shown = this.#read();
    const wanted = text.toLowerCase();
    const found = resources.flatMap((resource) =>
      (shown[resource] ?? []).filter((id) => id.endsWith(wanted)),
    );
    const [only, another] = found;
    if (only !== undefined && another === undefined) return only;
    if (only === undefined) {
      throw usageError(
        `no list on this computer has shown an id that ends in ${text}`,
        `List it first with: ${commandLine(`${resources[0]} list`, this.#env)}. Or pass the whole id.`,
      );
    }
    throw usageError(
      `${found.length} ids end in ${text}`,
      `Pass more characters, or one of: ${found.slice(0, 10).join(', ')}`,
    );
  }

  #read(): Shown {
    try {
      const shown: unknown = this.#file === undefined ? {} : JSON.parse(readFileSync(this.#file, 'utf8'));
      const isWhole =
        typeof shown === 'object' && shown !== null && Object.values(shown).every(Array.isArray);
      return isWhole ? (shown as Shown) : {};
    } catch {
      // Missing or truncated: the next list writes it again.
      return {};
    }
  }

  /** Stores the ids; returns whether that succeeded. */
  #write(shown: Shown): boolean {
    if (this.#file === undefined) return false;
    try {
      replacePrivate(this.#file, JSON.stringify(shown), { isFlushed: false });
      return true;
    } catch {
      return false;
    }
  }
}
