import { RosterError } from '@roster/api';

const RETRY_AFTER_S = 5;

/** Codes of `openid-client` and `jose` for a provider that did not respond, or not as it should. */
const unavailableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'ERR_JWKS_TIMEOUT',
  'ERR_JOSE_GENERIC',
]);

interface ProviderFailure extends Error {
  code?: string;
  /** RFC 6749, section 5.2. */
  error?: string;
  status?: number;
}

function isUnavailable(failure: ProviderFailure): boolean {
  // `fetch` throws it if there is no connection.
  if (failure instanceof TypeError && failure.cause !== undefined) return true;
  return (failure.status ?? 0) >= 500 || unavailableCodes.has(failure.code ?? '');
}

export function providerErrorOf(thrown: unknown): string | undefined {
  const { error } = (thrown ?? {}) as ProviderFailure;
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : undefined;
}

export function toSignInError(thrown: unknown): RosterError {
  if (thrown instanceof RosterError) return thrown;
  // The libraries wrap errors of reading a response.
  if (thrown instanceof Error && thrown.cause instanceof RosterError) return thrown.cause;
  if (thrown instanceof Error && isUnavailable(thrown)) {
    const options = { retryAfter: RETRY_AFTER_S, cause: thrown };
    return new RosterError('unavailable', 'The identity provider does not respond.', options);
  }
  const answered = providerErrorOf(thrown);
  const detail =
    answered === undefined
      ? 'The response of the identity provider is not valid.'
      : `The identity provider responded ${answered}.`;
  return new RosterError('sign_in_failed', detail, { cause: thrown });
}
