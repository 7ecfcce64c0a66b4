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

const given = { body: BODY, headers: headersOf(BODY), secret: SECRET, now: NOW };

async function faultOf(request: Parameters<typeof verifyWebhook>[0]): Promise<unknown> {
  const error: unknown = await verifyWebhook(request).catch((thrown: unknown) => thrown);
  return error instanceof WebhookVerificationError ? error.code : error;
}

describe('verifyWebhook', () => {
  it('answers the message that the service has signed, from headers of fetch and of Node, and from bytes', async () => {
    const message = { ...JSON.parse(BODY), id: 'evt_7', sentAt: NOW };
    expect(await verifyWebhook(given)).toEqual(message);
    expect(await verifyWebhook({ ...given, headers: new Headers(given.headers) })).toEqual(message);
    expect(await verifyWebhook({ ...given, body: new TextEncoder().encode(BODY) })).toEqual(message);
    expect(await verifyWebhook({ ...given, body: Buffer.from(BODY) })).toEqual(message);
  });

  it('accepts either secret while one is rotated: the message has a signature of each, or the receiver both', async () => {
    const headers = headersOf(BODY, { secrets: [OTHER, SECRET] });
    for (const secret of [SECRET, OTHER, [OTHER, SECRET]])
      await expect(verifyWebhook({ ...given, headers, secret })).resolves.toMatchObject({ id: 'evt_7' });
    await expect(verifyWebhook({ ...given, secret: [OTHER, SECRET] })).resolves.toMatchObject({
      id: 'evt_7',
    });
    expect(await faultOf({ ...given, secret: OTHER })).toBe('invalid_signature');
  });

  it.each([
    ['another body', { body: BODY.replace('Ana', 'Eva') }],
    ['a body that was parsed and written again', { body: JSON.stringify(JSON.parse(BODY), undefined, 1) }],
    ['another id', { headers: { ...given.headers, 'webhook-id': 'evt_8' } }],
    [
      'another time within the tolerance',
      { headers: { ...given.headers, 'webhook-timestamp': '1769846401' } },
    ],
    ['a signature of nothing', { headers: { ...given.headers, 'webhook-signature': 'v1,' } }],
    ['no base64', { headers: { ...given.headers, 'webhook-signature': 'v1,***' } }],
    [
      'another version alone',
      {
        headers: {
          ...given.headers,
          'webhook-signature': given.headers['webhook-signature'].replace('v1', 'v2'),
        },
      },
    ],
    [
      'a signature cut short',
      { headers: { ...given.headers, 'webhook-signature': given.headers['webhook-signature'].slice(0, -4) } },
    ],
  ])('rejects %s', async (_, changed) => {
    expect(await faultOf({ ...given, ...changed })).toBe('invalid_signature');
  });

  it('rejects what was sent more than five minutes ago or ahead, or than the tolerance that is given', async () => {
    const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    for (const seconds of [-300, 300])
      await expect(verifyWebhook({ ...given, now: at(seconds) })).resolves.toMatchObject({ id: 'evt_7' });
    for (const seconds of [-301, 301])
      expect(await faultOf({ ...given, now: at(seconds) })).toBe('timestamp_out_of_tolerance');
    expect(await faultOf({ ...given, now: at(11), toleranceSeconds: 10 })).toBe('timestamp_out_of_tolerance');
    const headers = { ...given.headers, 'webhook-timestamp': 'now' };
    expect(await faultOf({ ...given, headers })).toBe('timestamp_out_of_tolerance');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'rejects a request without %s',
    async (name) => {
      expect(await faultOf({ ...given, headers: { ...given.headers, [name]: undefined } })).toBe(
        'missing_header',
      );
    },
  );

  it('tells a secret that is none from a signature that is wrong, and a body that is no message', async () => {
    for (const secret of ['', 'whsec_', 'whsec_***'])
      expect(await faultOf({ ...given, secret })).toBe('invalid_secret');
    for (const body of ['[]', 'null', 'x', '{}'])
      expect(await faultOf({ ...given, body, headers: headersOf(body) })).toBe('invalid_body');
  });
});
