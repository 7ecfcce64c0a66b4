import { operations, streams } from '@roster/api';
import { isProcedure } from '../procedures.ts';

/** The path of a URL without its query, which may hold personal data. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const HIDDEN = '…';
/** Segments of a path without a route that are shown, the empty one before the first slash among them. */
const SEGMENTS_MAX = 6;

interface RequestUrl {
  url: string;
  params: unknown;
}

/** An id or names of procedures as they are; any other value hidden. */
function redactParameter(value: string | undefined): string {
  const isKnown = value !== undefined && (UUID.test(value) || value.split(',').every(isProcedure));
  return isKnown ? value : HIDDEN;
}

/**
 * The path of a request for logs and traces, without what may identify a person.
 *
 * @param route the pattern of its route, such as `/offices/:id`; undefined if no route matches
 * @returns the path of the route, with `…` for each parameter that is neither an id nor names of procedures; without a route
 *   its first segments, with `…` for those that are not words of the API's paths
 */
export function redactPath({ url, params }: RequestUrl, route: string | undefined): string {
  if (route === undefined) return redactUnrouted(url.split('?', 1)[0] ?? '');
  const parts = partsOf(route);
  let path = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    path += redactParameter((params as Record<string, string>)[parts[index] ?? '']) + parts[index + 1];
  }
  return path;
}

const splitRoutes = new Map<string, string[]>();

/** The pattern of a route, split into text and names of parameters, which alternate. Each pattern is split once. */
function partsOf(route: string): string[] {
  const known = splitRoutes.get(route) ?? route.split(/:(\w+)/);
  splitRoutes.set(route, known);
  return known;
}

/** The words of the paths of the API. */
const words = new Set(
  ['/trpc/docs', ...operations.map(({ path }) => path), ...streams.map(({ path }) => path)]
    .flatMap((path) => path.split('/'))
    .filter((word) => !word.startsWith('{')),
);

function redactUnrouted(path: string): string {
  const parts = path
    .split('/', SEGMENTS_MAX)
    .map((part) => (words.has(part) || UUID.test(part) ? part : HIDDEN));
  return parts.join('/');
}
