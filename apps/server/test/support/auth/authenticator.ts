import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What is asked of the device (WebAuthn), as much as matters here. */
interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}
interface RequestOptions {
  challenge: string;
  rpId?: string;
}

interface Credential {
  id: Buffer;
  key: KeyObject;
  userHandle: string;
  counter: number;
}

/** Flags of the data that an authenticator signs: user present and verified, backed up, and with a credential. */
const USER = 0x01 | 0x04;
const SYNCED = 0x08 | 0x10;
const WITH_CREDENTIAL = 0x40;

/** A device with passkeys, as a browser at an origin uses it; in software, and without asking anybody. */
export class TestAuthenticator {
  readonly #origin: string;
  readonly #isVerifying: boolean;
  /** The credentials, the newest last. */
  readonly credentials: Credential[] = [];

  constructor(origin: string, { isVerifying = true } = {}) {
    this.#origin = origin;
    this.#isVerifying = isVerifying;
  }

  /** Makes a passkey. */
  create({ challenge, rp, user }: CreationOptions, origin = this.#origin) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    // COSE (RFC 9053): elliptic curve, ES256, P-256.
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    const id = randomBytes(32);
    this.credentials.push({ id, key: privateKey, userHandle: user.id, counter: 0 });
    const length = Buffer.from([0, id.length]);
    const encoded = Buffer.from(isoCBOR.encode(cose));
    const credential = Buffer.concat([Buffer.alloc(16), length, id, encoded]);
    const authData = this.#data(rp.id ?? '', { flags: WITH_CREDENTIAL, counter: 0, credential });
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return {
      ...described(id),
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs with the newest passkey, or another one. */
  get(
    { challenge, rpId = '' }: RequestOptions,
    { origin = this.#origin, credential = this.credentials.at(-1) } = {},
  ) {
    if (credential === undefined) throw new Error('the device has no passkey');
    credential.counter += 1;
    const data = clientData('webauthn.get', challenge, origin);
    const authenticatorData = this.#data(rpId, { flags: 0, counter: credential.counter });
    const signed = Buffer.concat([authenticatorData, hash('sha256', data, 'buffer')]);
    return {
      ...described(credential.id),
      response: {
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, credential.key).toString('base64url'),
        userHandle: credential.userHandle,
      },
    };
  }

  #data(
    rpId: string,
    { flags, counter, credential = Buffer.alloc(0) }: { flags: number; counter: number; credential?: Buffer },
  ): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | SYNCED | (this.#isVerifying ? USER : 0x01);
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([all]), count, credential]);
  }
}

function described(id: Buffer) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
