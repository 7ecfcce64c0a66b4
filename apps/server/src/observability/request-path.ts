import { operations, streams } from '@roster/api';
import { isProcedure } from '../procedures.ts';

/** A query may hold personal data. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const HIDDEN = '…';
const SEGMENTS_MAX = 6;

interface RequestUrl {
  url: string;
  params: unknown;
}

/** Shows IDs and names of procedures. */
function redactParameter(value: string | undefined): string {
  const isKnown = value !== undefined && (UUID.test(value) || value.split(',').every(isProcedure));
  return isKnown ? value : HIDDEN;
}

/** For logs and traces: `…` stands for whatever may identify a person. Without a route only words of the API's paths are shown. */
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

/** Text and names of parameters alternate. Each pattern is split once. */
function partsOf(route: string): string[] {
  const known = splitRoutes.get(route) ?? route.split(/:(\w+)/);
  splitRoutes.set(route, known);
  return known;
}

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
