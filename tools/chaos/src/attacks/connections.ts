import { connect } from 'node:net';
import { pause } from '@roster/harness/until';

/** Where attacks connect, and for how long. */
export interface AttackTarget {
  /** The port of the service on this machine. */
  port: number;
  /** The address of this machine that it calls from; the system chooses one unless given. */
  localAddress?: string | undefined;
  /** The share of its connections that an attack opens, above 0 and at most 1; each opens at least one. */
  scale: number;
  /** Fires when the attack ends. */
  signal: AbortSignal;
}

/** What an attacker got: each status of a response, or how a connection ended without one, and how often. */
export type Outcomes = Map<string, number>;

/** What an attacker does on its connections. */
export interface Pattern {
  connections: number;
  /** What each connection sends; nothing of it is copied. */
  bytes: (index: number) => Buffer;
  /** Whether they begin at the same moment; else one after the other. */
  isBurst?: boolean;
  /** Whether the responses are read, where nothing more is sent after the first bytes. */
  isRead?: boolean;
  /** How long a connection waits after a response before it asks again; without it, it sends something and then nothing more. */
  pauseMs?: number;
}

/** How long an attacker waits before it opens a connection again. */
const RECONNECT_MS = 1_000;

/**
 * Sends something on each connection, and with a pause the same or something else again after each response. One that the server closes is
 * opened again, until the attack ends.
 */
export async function attack(target: AttackTarget, pattern: Pattern): Promise<Outcomes> {
  const { port, localAddress, signal, scale } = target;
  const { connections, bytes, isBurst = false, pauseMs, isRead = pauseMs !== undefined } = pattern;
  const outcomes: Outcomes = new Map();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const call = async (index: number) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true, signal });
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    const send = () => void (socket.writable && socket.write(bytes(index)));
    let responses = 0;
    const readPiece = (piece: string) => {
      // Bodies are not looked at, so that an attacker spends little on them.
      for (const [, status = ''] of piece.matchAll(/HTTP\/1\.1 ([2-5]\d\d)/g)) {
        responses += 1;
        count(status);
        if (pauseMs !== undefined) void pause(pauseMs, signal).then(send);
      }
    };
    if (isRead) socket.setEncoding('latin1').on('data', readPiece);
    send();
    await closed;
    const when = responses > 0 ? 'after' : socket.bytesRead > 0 ? 'in' : 'without';
    count(signal.aborted ? 'still open at the end' : `closed ${when} a response`);
    await pause(pauseMs ?? RECONNECT_MS, signal);
  };
  const all = Math.max(1, Math.round(connections * scale));
  const run = async (_: unknown, index: number) => {
    if (!isBurst) await pause((index * RECONNECT_MS) / all, signal);
    while (!signal.aborted) await call(index);
  };
  await Promise.all(Array.from({ length: all }, run));
  return outcomes;
}
