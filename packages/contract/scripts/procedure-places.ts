import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from '@roster/api/server';

/** A place in a source, counted from 0. */
export interface Place {
  /** The path from the root of the workspace. */
  path: string;
  line: number;
  column: number;
}

/** A route as it stands in the source of a router: `'GET /offices'`, or `'/events/stream'` of a stream. */
interface Route {
  route: string;
  path: string;
  lines: readonly string[];
  line: number;
}

const root = join(import.meta.dirname, '../../..');
const SOURCES = 'packages/api/src';
const ROUTE = /'((?:(?:GET|POST|PATCH|PUT|DELETE) )?\/[^'\s]*)'/g;

function routesIn(path: string): Route[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((text, line) =>
    Array.from(text.matchAll(ROUTE), ([, route = '']) => ({ route, path, lines, line })),
  );
}

const routes = readdirSync(join(root, SOURCES), { recursive: true, encoding: 'utf8' })
  .filter((name) => /(router|procedures|current)\.ts$/.test(name))
  .sort()
  .flatMap((name) => routesIn(`${SOURCES}/${name}`));

/** Finds a procedure in the routers by its route: the name that it has there. */
export function placeOf({ name, meta }: Definition & { name: string }): Place | undefined {
  const { openapi, stream } = meta;
  const wanted = stream?.path ?? `${openapi?.method} ${openapi?.path}`;
  const found = routes.find(({ route }) => route === wanted);
  if (found === undefined) return undefined;
  const { path, lines, line } = found;
  // What has an object after it is the metadata of the stream, whose name is the same.
  const verb = new RegExp(`^\\s*(?=${name.split('.').at(-1)}: (?!\\{))`);
  const at = lines.findLastIndex((text, index) => index <= line && verb.test(text));
  if (at < 0) return { path, line, column: 0 };
  return { path, line: at, column: verb.exec(lines[at] ?? '')?.[0].length ?? 0 };
}
