import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import Provider, {
  type Adapter,
  type AdapterConstructor,
  type AdapterPayload,
  type Configuration,
  type JWK,
} from 'oidc-provider';
import type { IdentityProviderConfig } from '../../../src/config/sign-in-settings.ts';

/** The claims of an account, beside `sub`. */
type Account = Record<string, unknown>;

/** A real identity provider on this machine. */
export interface TestIdentityProvider extends AsyncDisposable {
  issuer: string;
  /** The settings with which a service uses it. */
  config: IdentityProviderConfig;
  /** The accounts by `sub`. */
  accounts: Map<string, Account>;
  /** Who signs in next, without being asked for anything. */
  user: string;
  /** How long a code is valid. */
  codeTtlS: number;
  /** Where the public URL of the service leads when it sends a logout token. */
  serviceUrl: string;
  /** The requests that it gets, by their paths. */
  requests: string[];
  /** Replaces its keys, as providers do from time to time. */
  rotateKeys(): void;
  /** While it is down it closes every connection. */
  isDown: boolean;
  /** The path at which it sends a response that does not end, and how many bytes of that it has sent. */
  endlessAt: string | undefined;
  endlessBytes: number;
  /** What it says of sign-ins on another device in place of its own words. */
  deviceAuthorization: Record<string, unknown> | undefined;
  /** Claims that the next ID tokens have in place of their own. */
  idTokenClaims: Record<string, unknown> | undefined;
  /** Signs a token with its current key. */
  sign(claims: object, header?: object): Promise<string>;
  /** Confirms, as the user, every sign-in that waits on another device. */
  confirmDevice(): Promise<void>;
}

interface ProviderOptions {
  /** The URL at which browsers reach the service. */
  publicUrl: string;
}

const CLIENT = { clientId: 'roster', clientSecret: 'the secret of the client in tests' };
const SCOPES = 'openid email profile';
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: randomUUID() };
}

const LIFETIME_S = 600;
const lifetimes = Object.fromEntries(
  ['Interaction', 'Grant', 'Session', 'AccessToken', 'IdToken', 'DeviceCode'].map((name) => [
    name,
    LIFETIME_S,
  ]),
);

/** What it stores, in memory. */
function storageIn(stored: Map<string, AdapterPayload>): AdapterConstructor {
  return class implements Adapter {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    async upsert(id: string, payload: AdapterPayload) {
      stored.set(`${this.#name} ${id}`, payload);
    }
    async find(id: string) {
      return stored.get(`${this.#name} ${id}`);
    }
    async findByUserCode(userCode: string) {
      return [...stored.values()].find((payload) => payload.userCode === userCode);
    }
    async findByUid(uid: string) {
      return [...stored.values()].find((payload) => payload.uid === uid);
    }
    async consume(id: string) {
      const payload = stored.get(`${this.#name} ${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1_000);
    }
    async destroy(id: string) {
      stored.delete(`${this.#name} ${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    }
  };
}

/** Sends JSON that does not end, until the connection is closed. Counts its bytes. */
function sendEndless(response: ServerResponse, count: (bytes: number) => void): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const part = Buffer.alloc(64 * 1024, ' ');
  const endless = new Readable({
    read() {
      count(part.length);
      this.push(part);
    },
  });
  pipeline(endless, response, () => undefined);
}

/** Starts an identity provider whose accounts sign in without a form. It stops on disposal. */
export async function startIdentityProvider({ publicUrl }: ProviderOptions): Promise<TestIdentityProvider> {
  let key = newKey();
  const server = createServer((request, response) => {
    started.requests.push(request.url?.split('?', 1)[0] ?? '');
    if (started.isDown) return void request.socket.destroy();
    if (started.endlessAt !== undefined && request.url?.split('?', 1)[0] === started.endlessAt)
      return sendEndless(response, (bytes) => {
        started.endlessBytes += bytes;
      });
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: started.user } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  const stored = new Map<string, AdapterPayload>();
  const adapter = storageIn(stored);
  const configuration = (): Configuration => ({
    jwks: { keys: [key as JWK] },
    cookies: { keys: ['a key for the cookies in tests'] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${publicUrl}/sign-in/callback`],
        post_logout_redirect_uris: [`${publicUrl}/`],
        grant_types: ['authorization_code', DEVICE],
        id_token_signed_response_alg: 'ES256',
        backchannel_logout_uri: `${publicUrl}/sign-out/back-channel`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name', 'realm', 'offices'],
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = form;
        },
      },
      backchannelLogout: { enabled: true },
    },
    // Its own dispatcher connects to no loopback address.
    fetch: (url, options) =>
      fetch(String(url).replace(publicUrl, started.serviceUrl), {
        ...options,
        dispatcher: undefined,
      } as unknown as RequestInit),
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts.get(id) }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { ...lifetimes, AuthorizationCode: () => started.codeTtlS },
    adapter,
    loadExistingGrant: async ({ oidc }) => {
      const known = oidc.session?.grantIdFor(CLIENT.clientId);
      if (known !== undefined) return oidc.provider.Grant.find(known);
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  });
  const create = () => {
    const created = new Provider(issuer, configuration());
    created.use(async (ctx, next) => {
      await next();
      // Or terminals would ask every five seconds.
      if (ctx.oidc?.route === 'device_authorization')
        Object.assign(ctx.body as object, { interval: 1, ...started.deviceAuthorization });
      if (ctx.oidc?.route === 'token' && started.idTokenClaims !== undefined) {
        const body = ctx.body as { id_token: string };
        const { decodeJwt } = await import('jose');
        body.id_token = await started.sign({ ...decodeJwt(body.id_token), ...started.idTokenClaims });
      }
    });
    return created;
  };
  let provider = create();
  const started: TestIdentityProvider = {
    issuer,
    config: {
      issuer,
      publicUrl,
      ...CLIENT,
      scopes: SCOPES,
      isEmailTrusted: false,
      claims: undefined,
    },
    accounts,
    user: 'ana',
    codeTtlS: 60,
    serviceUrl: 'http://127.0.0.1:9',
    requests: [],
    isDown: false,
    endlessAt: undefined,
    endlessBytes: 0,
    deviceAuthorization: undefined,
    idTokenClaims: undefined,
    rotateKeys: () => {
      key = newKey();
      provider = create();
    },
    sign: async (claims, header = {}) => {
      const { importJWK, SignJWT } = await import('jose');
      const signing = new SignJWT({ ...claims }).setProtectedHeader({
        alg: 'ES256',
        kid: key.kid,
        ...header,
      });
      return signing.sign(await importJWK(key, 'ES256'));
    },
    confirmDevice: async () => {
      const grant = new provider.Grant({ clientId: CLIENT.clientId, accountId: started.user });
      grant.addOIDCScope(SCOPES);
      const grantId = await grant.save();
      const authTime = Math.floor(Date.now() / 1_000);
      const confirmed = {
        accountId: started.user,
        grantId,
        scope: SCOPES,
        authTime,
        sessionUid: randomUUID(),
      };
      for (const [key, payload] of stored)
        if (key.startsWith('DeviceCode ')) Object.assign(payload, confirmed);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}
