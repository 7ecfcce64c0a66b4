import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Delivered } from '../checker/evidence.ts';
import { eventDigestOf } from '../history.ts';
import type { Random } from '../random.ts';

/** A receiver of webhooks that sometimes fails. */
export interface Receiver extends AsyncDisposable {
  url: string;
  messages: Delivered[];
  /** Makes known what signs, and begins to answer; until then every delivery is rejected. */
  accept(secret: string): void;
}

/** How often the first attempt of a message is answered 500, or cut off without an answer. */
const FAILED = 0.01;
const CUT = 0.005;
const TAKEN = 204;

/** A receiver of webhooks on a port of its own. */
export async function startReceiver(random: Random): Promise<Receiver> {
  const messages: Delivered[] = [];
  const known = new Set<string>();
  let signer: Webhook | undefined;

  function isSigned(body: string, headers: IncomingMessage['headers']): boolean {
    try {
      signer?.verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }

  /** What a message is answered; undefined for one whose connection is cut. */
  function statusFor(id: string, isVerified: boolean): number | undefined {
    // A second failure would have to be waited for five minutes.
    const isFirst = !known.has(id);
    known.add(id);
    const isCut = random.chance(CUT);
    const isFailed = random.chance(FAILED);
    if (!isVerified) return 400;
    if (isFirst && isCut) return undefined;
    return isFirst && isFailed ? 500 : TAKEN;
  }

  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (signer === undefined) return void response.writeHead(500).end();
    const id = String(request.headers['webhook-id']);
    const isVerified = isSigned(body, request.headers);
    const status = statusFor(id, isVerified);
    const { data } = JSON.parse(body) as { data: { position: number; subject: string } };
    const { position, subject } = data;
    messages.push({
      id,
      position,
      subject,
      whole: eventDigestOf(data),
      isVerified,
      isTaken: status === TAKEN,
    });
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    accept: (secret) => {
      signer = new Webhook(secret);
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
