import { RosterError } from '@roster/api';

/** The path of a URL, without its query: what problems and logs name, for a query may hold a person's name. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/**
 * The parameters of a URL, each with all its values, in an object without a prototype.
 * Throws `bad_request` where percent-encoding or UTF-8 is broken: a lenient reader would put U+FFFD in its place.
 */
export function parseQuery(url: string): Record<string, string[]> {
  const parameters: Record<string, string[]> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return parameters;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    const values = parameters[name];
    if (values === undefined) parameters[name] = [value];
    else values.push(value);
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new RosterError('bad_request', `"${text}" in the query is not percent-encoded UTF-8.`, { cause });
  }
}
