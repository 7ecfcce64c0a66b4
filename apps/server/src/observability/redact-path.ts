import { pathOf } from '../http/query-string.ts';
import { isProcedure } from '../procedures.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const HIDDEN = '…';

interface Asked {
  url: string;
  params: unknown;
}

function shown(value: string | undefined): string {
  const isKnown = value !== undefined && (UUID.test(value) || value.split(',').every(isProcedure));
  return isKnown ? value : HIDDEN;
}

/**
 * The path of a request for logs and traces: that of its route, with ids and names of procedures where it has
 * parameters, and `…` for anything else, since it may be a person's name. A path that is nobody's is all the caller's
 * own, and of that only words which our paths are made of are shown.
 */
export function shownPath({ url, params }: Asked, route: string | undefined): string {
  if (route === undefined) return ofOurWords(pathOf(url));
  const parts = partsOf(route);
  let path = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    path += shown((params as Record<string, string>)[parts[index] ?? '']) + parts[index + 1];
  }
  return path;
}

const routes = new Map<string, string[]>();

/** The pattern of a route in parts, by turns our words and the name of a parameter; each is taken apart once. */
function partsOf(route: string): string[] {
  const known = routes.get(route) ?? route.split(/:(\w+)/);
  routes.set(route, known);
  return known;
}

const words = new Set([
  '',
  'offices',
  'agents',
  'imports',
  'events',
  'webhooks',
  'keys',
  'trpc',
  'docs',
  'stream',
]);

function ofOurWords(path: string): string {
  const parts = path.split('/', 6).map((part) => (words.has(part) || UUID.test(part) ? part : HIDDEN));
  return parts.join('/');
}
