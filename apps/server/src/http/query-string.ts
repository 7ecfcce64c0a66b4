import { type FieldError, type Operation, RosterError, rpcOnly } from '@roster/api';

/** Throws `bad_request` for malformed encoding, which URLSearchParams would replace. Without a prototype. */
export function parseQuery(url: string): Record<string, string[]> {
  const parameters: Record<string, string[]> = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return parameters;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    const values = parameters[name];
    if (values === undefined) parameters[name] = [value];
    else values.push(value);
  }
  return parameters;
}

export function singleValues(query: Record<string, string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new RosterError('bad_request', `"${text}" in the query is not percent-encoded UTF-8.`, { cause });
  }
}

/** Rejects parameters that no schema sees: beside a body, or known only to RPC. Throws `invalid_parameter`. */
export function rejectUnknownParameters(
  query: Record<string, string[]>,
  { hasBody }: Pick<Operation, 'hasBody'>,
): void {
  const unknownParameters = Object.keys(query).filter(
    (name) => hasBody || name === '__proto__' || rpcOnly.includes(name),
  );
  if (unknownParameters.length === 0) return;
  const errors: FieldError[] = unknownParameters.map((parameter) => ({
    parameter,
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
  }));
  const detail = `${unknownParameters.join(', ')}: not a parameter of this operation.`;
  throw new RosterError('invalid_parameter', detail, { errors });
}
