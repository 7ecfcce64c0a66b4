import { RosterError } from '@roster/api';
import type { RemoteJWKSetOptions } from 'jose';
import type { Configuration, CustomFetchOptions } from 'openid-client';
import type { IdentityProviderConfig } from '../config/sign-in-settings.ts';
import { providerErrorOf, toSignInError } from './provider-errors.ts';

export interface Claims extends Readonly<Record<string, unknown>> {
  iss: string;
  sub: string;
}

export interface ConfirmedSignIn {
  claims: Claims;
  idToken: string;
}

interface AuthorizationRequest {
  state: string;
  nonce: string;
  /** The provider gets its SHA-256 (PKCE, RFC 7636). */
  verifier: string;
}

/** RFC 8628. */
export interface DeviceAuthorization {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string | undefined;
  expiresInS: number;
  intervalS: number;
}

interface Connected {
  client: typeof import('openid-client');
  jose: typeof import('jose');
  configuration: Configuration;
  keys: ReturnType<typeof import('jose').createRemoteJWKSet>;
}

const METADATA_TTL_MS = 60 * 60 * 1_000;
const TIMEOUT_S = 5;
/** A rotated key is found within a second, and made-up keys cost the provider one request a second. */
const keyOptions: RemoteJWKSetOptions = { cooldownDuration: 1_000, timeoutDuration: TIMEOUT_S * 1_000 };
/** Only a private key makes these. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_S = 30;
/** Whatever the provider says. */
const DEVICE_MAX_S = 24 * 60 * 60;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Libraries and metadata are loaded at the first sign-in, and again after a failure. Rejects with a `RosterError`. */
export class IdentityProvider {
  readonly config: IdentityProviderConfig;
  #connected: Promise<Connected> | undefined;
  #connectedAtMs = 0;

  constructor(config: IdentityProviderConfig) {
    this.config = config;
  }

  get redirectUri(): string {
    return `${this.config.publicUrl}/sign-in/callback`;
  }

  async authorizationUrl({ state, nonce, verifier }: AuthorizationRequest): Promise<string> {
    const { client, configuration } = await this.#connect();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.config.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return url.href;
  }

  /** `query` has its question mark. Rejects with `sign_in_failed`. */
  async confirm(query: string, { state, nonce, verifier }: AuthorizationRequest): Promise<ConfirmedSignIn> {
    const connected = await this.#connect();
    const { client, configuration } = connected;
    return translateErrors(async () => {
      const tokens = await client.authorizationCodeGrant(
        configuration,
        new URL(`${this.redirectUri}${query}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      );
      return this.#claimsOf(connected, tokens);
    });
  }

  async support() {
    const { configuration } = await this.#connect();
    const metadata = configuration.serverMetadata();
    return {
      hasDeviceFlow: metadata.device_authorization_endpoint !== undefined,
      hasLogout: metadata.end_session_endpoint !== undefined,
      hasBackChannelLogout: metadata.backchannel_logout_supported === true,
    };
  }

  async startDevice(): Promise<DeviceAuthorization> {
    const { client, configuration } = await this.#connect();
    return translateErrors(async () => {
      const begun = await client.initiateDeviceAuthorization(configuration, { scope: this.config.scopes });
      return {
        deviceCode: begun.device_code,
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        verificationUriComplete: begun.verification_uri_complete,
        expiresInS: Math.min(begun.expires_in, DEVICE_MAX_S),
        intervalS: begun.interval ?? 5,
      };
    });
  }

  /** Asks once; `slow_down` asks for longer intervals. */
  async pollDevice(deviceCode: string): Promise<ConfirmedSignIn | 'authorization_pending' | 'slow_down'> {
    const connected = await this.#connect();
    const { client, configuration } = connected;
    try {
      const tokens = await client.genericGrantRequest(configuration, DEVICE_GRANT, {
        device_code: deviceCode,
      });
      return await this.#claimsOf(connected, tokens);
    } catch (error) {
      const answered = providerErrorOf(error);
      if (answered === 'authorization_pending' || answered === 'slow_down') return answered;
      throw toSignInError(error);
    }
  }

  /** RP-Initiated Logout 1.0; undefined if the provider has none. */
  async endSessionUrl(idToken: string): Promise<string | undefined> {
    const { client, configuration } = await this.#connect();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    const url = client.buildEndSessionUrl(configuration, {
      id_token_hint: idToken,
      post_logout_redirect_uri: `${this.config.publicUrl}/`,
    });
    return url.href;
  }

  /** Rejects with an error of `jose`. */
  async verify(token: string, options: { maxTokenAge?: string; requiredClaims?: string[] } = {}) {
    const { jose, keys } = await this.#connect();
    const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
      ...options,
      issuer: this.config.issuer,
      audience: this.config.clientId,
      algorithms,
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    return { payload, protectedHeader };
  }

  /** The signature is checked although the token came from the provider itself. The userinfo endpoint adds missing claims. */
  async #claimsOf(
    { client, configuration }: Connected,
    { id_token: idToken, access_token: accessToken }: { id_token?: string; access_token: string },
  ): Promise<ConfirmedSignIn> {
    if (idToken === undefined) throw new Error('the provider sent no ID token');
    const { payload } = await this.verify(idToken, { requiredClaims: ['sub', 'iat', 'exp'] });
    const claims = payload as Claims;
    // OpenID Connect Core 1.0, section 3.1.3.7, points 4 and 5.
    const hasSeveral = Array.isArray(payload.aud) && payload.aud.length > 1;
    if (claims.azp === undefined ? hasSeveral : claims.azp !== this.config.clientId)
      throw new RosterError('sign_in_failed', 'The ID token was issued to another client (azp).');
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return { claims, idToken };
    const more = await client.fetchUserInfo(configuration, accessToken, claims.sub);
    return { claims: { ...more, ...claims }, idToken };
  }

  #connect(): Promise<Connected> {
    const isOld = performance.now() - this.#connectedAtMs >= METADATA_TTL_MS;
    if (this.#connected !== undefined && !isOld) return this.#connected;
    const connecting = this.#discover().catch((error: unknown) => {
      if (this.#connected === connecting) this.#connected = undefined;
      throw toSignInError(error);
    });
    this.#connected = connecting;
    this.#connectedAtMs = performance.now();
    return connecting;
  }

  async #discover(): Promise<Connected> {
    const { issuer, clientId, clientSecret } = this.config;
    const [client, jose] = await Promise.all([import('openid-client'), import('jose')]);
    const server = new URL(issuer);
    const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT_S, [client.customFetch]: boundedFetch };
    const found = await client.discovery(server, clientId, undefined, client.None(), options);
    const metadata = found.serverMetadata();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication =
      clientSecret === undefined
        ? client.None()
        : methods.includes('client_secret_basic')
          ? client.ClientSecretBasic(clientSecret)
          : client.ClientSecretPost(clientSecret);
    const configuration = new client.Configuration(metadata, clientId, clientSecret, authentication);
    configuration.timeout = TIMEOUT_S;
    configuration[client.customFetch] = boundedFetch;
    for (const apply of execute) apply(configuration);
    const keys = jose.createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), {
      ...keyOptions,
      [jose.customFetch]: boundedFetch,
    });
    return { client, jose, configuration, keys };
  }
}

async function translateErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw toSignInError(error);
  }
}

const RESPONSE_MAX_BYTES = 1024 * 1024;

/** Rejects with `unavailable`, and closes the connection, if it is too long. */
async function readBounded({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > RESPONSE_MAX_BYTES)
      throw new RosterError('unavailable', 'A response of the identity provider is longer than 1 MiB.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The libraries would read a response of any length. Asks for gzip alone: it reaches fewer decoders than what `fetch` asks for. */
async function boundedFetch(
  url: string | URL,
  {
    body = null,
    headers: given,
    ...options
  }: Omit<RequestInit, 'body'> & { body?: CustomFetchOptions['body'] | undefined },
): Promise<Response> {
  if (body !== null && typeof body !== 'string' && !(body instanceof URLSearchParams))
    throw new TypeError('A request to the identity provider has a form or a text as its body.');
  const asked = new Headers(given);
  asked.set('Accept-Encoding', 'gzip');
  const response = await fetch(url, { ...options, headers: asked, body });
  const bytes = await readBounded(response);
  const { status, statusText, headers } = response;
  return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), { status, statusText, headers });
}
