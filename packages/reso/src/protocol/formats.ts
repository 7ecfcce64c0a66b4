import type { IncomingHttpHeaders } from 'node:http';
import { invalidParameter } from '@roster/api';

/** OData JSON Format 4.01, section 4. OData 4.0 prefixes the names with `odata.`. */
const supported: Readonly<Record<string, readonly string[]>> = {
  metadata: ['minimal'],
  streaming: ['true', 'false'],
  ieee754compatible: ['false'],
  exponentialdecimals: ['true', 'false'],
  charset: ['utf-8'],
};

interface Format {
  type: string;
  unsupported: string[];
  isRefused: boolean;
}

const jsonTypes: readonly string[] = ['application/json', 'application/*', '*/*'];

const unquoted = (value: string) => value.replace(/^"(.*)"$/, '$1');

function parseFormat(text: string): Format {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  const format: Format = { type: type.toLowerCase(), unsupported: [], isRefused: false };
  for (const parameter of parameters.filter((part) => part !== '')) {
    const [given = '', value = ''] = parameter
      .split('=', 2)
      .map((part) => unquoted(part.trim().toLowerCase()));
    if (given === 'q') format.isRefused = Number(value) === 0;
    else if (!supported[given.replace(/^odata\./, '')]?.includes(value)) format.unsupported.push(parameter);
  }
  return format;
}

function rejected(name: string, { unsupported }: Format) {
  const detail = `must not have ${unsupported.join(', ').slice(0, 100)}: responses are application/json;odata.metadata=minimal`;
  return invalidParameter(name, 'not_supported', detail);
}

/**
 * Throws `invalid_parameter` for an unsupported `$format`, or without it for an `Accept` with only
 * unsupported forms of JSON (OData 4.01, part 1, section 8.2.1). Ignores other media types: the response is
 * JSON.
 */
export function checkFormat(format: string | undefined, { accept = '' }: IncomingHttpHeaders): void {
  if (format !== undefined) {
    const given = parseFormat(format.toLowerCase() === 'json' ? 'application/json' : format);
    if (given.type !== 'application/json') throw invalidParameter('$format', 'not_supported', 'must be json');
    if (given.unsupported.length > 0) throw rejected('$format', given);
    return;
  }
  const given = accept.split(',').map(parseFormat);
  const ofJson = given.filter(({ type, isRefused }) => jsonTypes.includes(type) && !isRefused);
  const [first] = ofJson;
  if (first !== undefined && ofJson.every(({ unsupported }) => unsupported.length > 0))
    throw rejected('Accept', first);
}
