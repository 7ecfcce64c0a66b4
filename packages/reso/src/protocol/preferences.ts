import type { IncomingHttpHeaders } from 'node:http';
import { invalidParameter } from '@roster/api';

/** RFC 7240; OData 4.01, part 1, section 8.2.8. Unknown preferences are ignored. */
export interface Preferences {
  maxPageSize?: number;
  representation?: 'representation' | 'minimal';
  omitsNulls?: boolean;
}

/** Throws `invalid_parameter` for `return` without a change. */
export function parsePreferences({ prefer }: IncomingHttpHeaders, method: string): Preferences {
  const preferences: Preferences = {};
  for (const part of String(prefer ?? '').split(',')) {
    const [, name = '', value = ''] = /^\s*([\w.-]+)(?:\s*=\s*"?([\w.-]*)"?)?\s*(?:;.*)?$/.exec(part) ?? [];
    // The first of several counts.
    Object.assign(preferences, {
      ...preferenceOf(name.toLowerCase().replace(/^odata\./, ''), value),
      ...preferences,
    });
  }
  if (preferences.representation !== undefined && method !== 'POST' && method !== 'PATCH')
    throw invalidParameter('Prefer', 'not_allowed', 'must not have return without a change');
  return preferences;
}

function preferenceOf(name: string, value: string): Preferences {
  if (name === 'maxpagesize' && /^[1-9]\d{0,8}$/.test(value)) return { maxPageSize: Number(value) };
  if (name === 'return' && (value === 'representation' || value === 'minimal'))
    return { representation: value };
  if (name === 'omit-values' && value === 'nulls') return { omitsNulls: true };
  return {};
}

/** Supported versions of OData, newest first. */
const versions = ['4.01', '4.0'];

/** OData-MaxVersion, else OData-Version. Throws `invalid_parameter` for unsupported versions. */
export function chooseVersion(headers: IncomingHttpHeaders): string {
  const { 'odata-version': sent, 'odata-maxversion': max } = headers;
  if (sent !== undefined && !versions.includes(String(sent)))
    throw invalidParameter('OData-Version', 'not_supported', `must be one of ${versions.join(', ')}`);
  if (max === undefined) return String(sent ?? versions[0]);
  const version = versions.find((one) => Number(one) <= Number(max));
  if (version !== undefined) return version;
  throw invalidParameter('OData-MaxVersion', 'not_supported', `must be ${versions.at(-1)} or higher`);
}
