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

/** A route in the source of a router: `'GET /offices'`, or with a name in it. */
interface Route {
  path: string;
  lines: readonly string[];
  line: number;
  matches: RegExp;
  isTemplate: boolean;
}

const root = join(import.meta.dirname, '../../..');
const ROUTERS = 'packages/api/src/routers';
const ROUTE = /(['`])((?:(?:GET|POST|PATCH|PUT|DELETE) )?\/[^'`\s]*)\1/g;

function routesIn(path: string): Route[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((text, line) =>
    Array.from(text.matchAll(ROUTE), ([, , route = '']): Route => {
      const parts = route.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return {
        path,
        lines,
        line,
        matches: new RegExp(`^${parts.join('[^/]+')}$`),
        isTemplate: parts.length > 1,
      };
    }),
  );
}

const routes = readdirSync(join(root, ROUTERS), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .flatMap((name) => routesIn(`${ROUTERS}/${name}`))
  .sort((one, other) => Number(one.isTemplate) - Number(other.isTemplate));

/** Finds a procedure in the routers by its route: the name that it has there, or its route if the name is computed. */
export function placeOf({ name, meta }: Definition & { name: string }): Place | undefined {
  const { openapi, stream } = meta;
  const route = stream?.path ?? `${openapi?.method} ${openapi?.path}`;
  const found = routes.find(({ matches }) => matches.test(route));
  if (found === undefined) return undefined;
  const { path, lines, line } = found;
  // What has an object after it is the metadata of the stream, whose name is the same.
  const verb = new RegExp(`^\\s*(?=${name.split('.').at(-1)}: (?!\\{))`);
  const at = lines.findLastIndex((text, index) => index <= line && verb.test(text));
  if (at < 0) return { path, line, column: 0 };
  return { path, line: at, column: verb.exec(lines[at] ?? '')?.[0].length ?? 0 };
}
