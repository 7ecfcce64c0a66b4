import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { startHttpServer } from '@roster/harness/http-server';
import type { Webhook } from 'standardwebhooks';
import type { Delivered } from '../checker/evidence.ts';
import { eventDigestOf } from '../history.ts';
import type { Random } from '../random.ts';

/** A receiver of webhooks that sometimes fails. */
export interface Receiver extends AsyncDisposable {
  url: string;
  messages: Delivered[];
  /** What verifies signatures; until it is known every delivery is rejected. */
  verifier?: Webhook;
}

/** How often the first attempt of a message gets 500, or cut off without a response. */
const FAILED = 0.01;
const CUT = 0.005;
const TAKEN = 204;

function isSigned(verifier: Webhook, body: string, headers: IncomingHttpHeaders): boolean {
  try {
    verifier.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** A receiver of webhooks on a port of its own. */
export async function startReceiver(random: Random): Promise<Receiver> {
  const known = new Set<string>();
  /** The status that a message is answered with; none for one whose connection is cut. */
  const statusFor = (id: string, isVerified: boolean) => {
    // A second failure would have to be waited for five minutes.
    const isFirst = !known.has(id);
    known.add(id);
    const isCut = random.chance(CUT);
    const isFailed = random.chance(FAILED);
    if (!isVerified) return 400;
    if (isFirst && isCut) return undefined;
    return isFirst && isFailed ? 500 : TAKEN;
  };
  const messages: Delivered[] = [];
  const server = await startHttpServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (receiver.verifier === undefined) return void response.writeHead(500).end();
    const id = String(request.headers['webhook-id']);
    const isVerified = isSigned(receiver.verifier, body, request.headers);
    const status = statusFor(id, isVerified);
    const { data } = JSON.parse(body);
    const { position, subject } = data;
    const isTaken = status === TAKEN;
    messages.push({ id, position, subject, whole: eventDigestOf(data), isVerified, isTaken });
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  });
  const receiver: Receiver = { ...server, messages };
  return receiver;
}
