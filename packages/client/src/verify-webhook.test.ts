import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './index.ts';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret of 32 bytes, fine').toString('base64')}`;
const NOW = new Date('2026-01-31T08:00:00.000Z');
const BODY = JSON.stringify({
  type: 'agent.created',
  timestamp: '2026-01-31T07:59:59.000Z',
  data: { position: 7, record: { displayName: 'Ana Sá' } },
});

/** The headers of a message, as the reference implementation of Standard Webhooks signs it. */
function headersOf(body: string, { secrets = [SECRET], at = NOW, id = 'evt_7' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

const request = { body: BODY, headers: headersOf(BODY), secret: SECRET, now: NOW };

async function errorCodeOf(candidate: Parameters<typeof verifyWebhook>[0]): Promise<unknown> {
  const error: unknown = await verifyWebhook(candidate).catch((thrown: unknown) => thrown);
  return error instanceof WebhookVerificationError ? error.code : error;
}

describe('verifyWebhook', () => {
  it('returns the signed message, from headers of fetch and of Node.js, and from bytes', async () => {
    const message = { ...JSON.parse(BODY), id: 'evt_7', sentAt: NOW };
    expect(await verifyWebhook(request)).toEqual(message);
    expect(await verifyWebhook({ ...request, headers: new Headers(request.headers) })).toEqual(message);
    expect(await verifyWebhook({ ...request, body: new TextEncoder().encode(BODY) })).toEqual(message);
    expect(await verifyWebhook({ ...request, body: Buffer.from(BODY) })).toEqual(message);
  });

  it('accepts either secret during a rotation: the message has both signatures, or the receiver both secrets', async () => {
    const headers = headersOf(BODY, { secrets: [OTHER, SECRET] });
    for (const secret of [SECRET, OTHER, [OTHER, SECRET]])
      await expect(verifyWebhook({ ...request, headers, secret })).resolves.toMatchObject({ id: 'evt_7' });
    await expect(verifyWebhook({ ...request, secret: [OTHER, SECRET] })).resolves.toMatchObject({
      id: 'evt_7',
    });
    expect(await errorCodeOf({ ...request, secret: OTHER })).toBe('invalid_signature');
  });

  it.each([
    ['another body', { body: BODY.replace('Ana', 'Eva') }],
    ['a body that was parsed and serialised again', { body: JSON.stringify(JSON.parse(BODY), undefined, 1) }],
    ['another id', { headers: { ...request.headers, 'webhook-id': 'evt_8' } }],
    [
      'another time within the tolerance',
      { headers: { ...request.headers, 'webhook-timestamp': '1769846401' } },
    ],
    ['an empty signature', { headers: { ...request.headers, 'webhook-signature': 'v1,' } }],
    ['a signature that is not base64', { headers: { ...request.headers, 'webhook-signature': 'v1,***' } }],
    [
      'only another version',
      {
        headers: {
          ...request.headers,
          'webhook-signature': request.headers['webhook-signature'].replace('v1', 'v2'),
        },
      },
    ],
    [
      'a truncated signature',
      {
        headers: {
          ...request.headers,
          'webhook-signature': request.headers['webhook-signature'].slice(0, -4),
        },
      },
    ],
  ])('rejects %s', async (_, changed) => {
    expect(await errorCodeOf({ ...request, ...changed })).toBe('invalid_signature');
  });

  it('rejects a message of more than five minutes ago or ahead, or outside of the given tolerance', async () => {
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    for (const seconds of [-300, 300])
      await expect(verifyWebhook({ ...request, now: at(seconds) })).resolves.toMatchObject({ id: 'evt_7' });
    for (const seconds of [-301, 301])
      expect(await errorCodeOf({ ...request, now: at(seconds) })).toBe('timestamp_out_of_tolerance');
    expect(await errorCodeOf({ ...request, now: at(11), toleranceSeconds: 10 })).toBe(
      'timestamp_out_of_tolerance',
    );
    const headers = { ...request.headers, 'webhook-timestamp': 'now' };
    expect(await errorCodeOf({ ...request, headers })).toBe('timestamp_out_of_tolerance');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'rejects a request without %s',
    async (name) => {
      expect(await errorCodeOf({ ...request, headers: { ...request.headers, [name]: undefined } })).toBe(
        'missing_header',
      );
    },
  );

  it('distinguishes an invalid secret, an invalid signature and an invalid body', async () => {
    for (const secret of ['', 'whsec_', 'whsec_***'])
      expect(await errorCodeOf({ ...request, secret })).toBe('invalid_secret');
    for (const body of ['[]', 'null', 'x', '{}'])
      expect(await errorCodeOf({ ...request, body, headers: headersOf(body) })).toBe('invalid_body');
  });
});
