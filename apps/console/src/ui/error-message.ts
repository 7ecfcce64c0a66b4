import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { RosterError } from '@roster/client';
import { isObject } from '@roster/fields/objects';
import { allScopes, scopeLabels } from '../resources/scope-labels.ts';

export function isUnreachable(error: unknown): boolean {
  return error instanceof RosterError && (error.code === 'network' || error.code === 'invalid_response');
}

/** The rights without which the service rejected a call, as it names them (RFC 6750); empty for what is not about rights alone. */
export function missingRights(error: unknown): string[] {
  if (!(error instanceof RosterError) || error.code !== 'insufficient_scope') return [];
  const response = error.meta?.response;
  const headers = isObject(response) ? response.headers : undefined;
  const header = headers instanceof Headers ? headers.get('WWW-Authenticate') : null;
  const named = /\bscope="([^"]*)"/.exec(header ?? '')?.[1] ?? '';
  return named.split(' ').flatMap((name) => {
    const scope = allScopes.find((one) => one === name);
    return scope === undefined ? [] : i18n._(scopeLabels[scope]);
  });
}

const unreachable = msg`Can't reach the server. Your input is kept. Try again in a moment.`;
const notAllowed = (rights: string) => msg`You need this permission: ${rights}.`;

/**
 * The message of an error for people: the service's own words, which name what to do. Those of the client about a service that does not
 * answer name its address, and those about a missing right its scope, which mean nothing to the reader.
 */
export function messageOf(error: unknown): string {
  if (isUnreachable(error)) return i18n._(unreachable);
  const rights = missingRights(error);
  if (rights.length > 0) return i18n._(notAllowed(rights.join(', ')));
  return error instanceof Error ? error.message : String(error);
}
