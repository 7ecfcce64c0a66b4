import { RosterError } from '@roster/api';

/** After a failure of the identity provider, ask again after so many seconds. */
const RETRY_AFTER_S = 5;

/** Codes of `openid-client` and `jose` for a provider that did not answer, or not as its endpoint should. */
const unavailableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'ERR_JWKS_TIMEOUT',
  'ERR_JOSE_GENERIC',
]);

/** An error of the libraries with the properties that they add. */
interface ProviderFailure extends Error {
  code?: string;
  /** The error code of OAuth 2.0 (RFC 6749, section 5.2), and the HTTP status with which it came. */
  error?: string;
  status?: number;
}

/** Whether the provider could not be reached, or could not answer. */
function isUnavailable(failure: ProviderFailure): boolean {
  // The error that `fetch` throws if there is no connection.
  if (failure instanceof TypeError && failure.cause !== undefined) return true;
  return (failure.status ?? 0) >= 500 || unavailableCodes.has(failure.code ?? '');
}

/** The error code with which a provider answered; undefined if it is none. */
export function providerErrorOf(thrown: unknown): string | undefined {
  const { error } = (thrown ?? {}) as ProviderFailure;
  return typeof error === 'string' && /^[a-z_]{1,64}$/.test(error) ? error : undefined;
}

/** The error that a client gets for what was thrown while the identity provider was asked. */
export function toSignInError(thrown: unknown): RosterError {
  if (thrown instanceof RosterError) return thrown;
  // The libraries wrap what the reading of a response throws.
  if (thrown instanceof Error && thrown.cause instanceof RosterError) return thrown.cause;
  if (thrown instanceof Error && isUnavailable(thrown)) {
    const options = { retryAfter: RETRY_AFTER_S, cause: thrown };
    return new RosterError('unavailable', 'The identity provider does not answer.', options);
  }
  const answered = providerErrorOf(thrown);
  const detail =
    answered === undefined
      ? 'The answer of the identity provider is not valid.'
      : `The identity provider answered ${answered}.`;
  return new RosterError('sign_in_failed', detail, { cause: thrown });
}
