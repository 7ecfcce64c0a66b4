import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What an attack calls, with what, and for how long. */
export interface AttackTarget {
  /** The port of the service on this machine. */
  port: number;
  /** The address of this machine that it calls from; the system chooses one unless given. */
  localAddress?: string;
  /** A valid key of its own. */
  key: string;
  /** Webhooks whose receiver takes connections and never answers. */
  webhookIds: readonly string[];
  /** The share of its connections that an attack opens, above 0 and at most 1; each opens at least one. */
  scale: number;
  /** Fires when the attack ends. */
  signal: AbortSignal;
}

/** What an attacker got: each status of an answer, or how a connection ended without one, and how often. */
export type Outcomes = Map<string, number>;

/** What an attacker does on its connections. */
export interface Pattern {
  connections: number;
  /** What each connection sends; nothing of it is copied. */
  bytes: (index: number) => Buffer;
  /** Whether they begin at the same moment; else one after the other. */
  isBurst?: boolean;
  /** Whether the answers are read, where nothing more is sent after the first bytes. */
  isRead?: boolean;
  /** How long a connection waits after an answer before it asks again; without it, it sends something and then nothing more. */
  pauseMs?: number;
}

/** How long an attacker waits before it opens a connection again. */
const RECONNECT_MS = 1_000;

function count(outcomes: Outcomes, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

const wait = (ms: number, { signal }: AttackTarget) =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

function open({ port, localAddress, signal }: AttackTarget): { socket: Socket; closed: Promise<void> } {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, ...(localAddress && { localAddress }) });
  socket.on('error', () => undefined);
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      signal.removeEventListener('abort', leave);
      resolve();
    });
  });
  return { socket, closed };
}

/** Runs as many loops as an attack has connections until the attack ends. */
async function loops(
  target: AttackTarget,
  { connections, isBurst = false }: Pattern,
  loop: (index: number) => Promise<void>,
): Promise<void> {
  const all = Math.max(1, Math.round(connections * target.scale));
  const run = async (_: unknown, index: number) => {
    if (!isBurst) await wait((index * RECONNECT_MS) / all, target);
    while (!target.signal.aborted) await loop(index);
  };
  await Promise.all(Array.from({ length: all }, run));
}

/** Calls back with the status of each answer when it begins; bodies are not looked at, so that an attacker spends little on them. */
function readAnswers(socket: Socket, onStatus: (status: string) => void): void {
  socket.setEncoding('latin1').on('data', (piece: string) => {
    for (const [, status = ''] of piece.matchAll(/HTTP\/1\.1 ([2-5]\d\d)/g)) onStatus(status);
  });
}

/**
 * Sends something on each connection, and with a pause the same or something else again after each answer. One that the server closes is
 * opened again.
 */
export function attack(target: AttackTarget, outcomes: Outcomes, pattern: Pattern): Promise<void> {
  const { bytes, pauseMs, isRead = pauseMs !== undefined } = pattern;
  return loops(target, pattern, async (index) => {
    const { socket, closed } = open(target);
    const send = () => void (socket.writable && socket.write(bytes(index)));
    let answers = 0;
    const onStatus = (status: string) => {
      answers += 1;
      count(outcomes, status);
      if (pauseMs !== undefined) void wait(pauseMs, target).then(send);
    };
    if (isRead) readAnswers(socket, onStatus);
    send();
    await closed;
    const when = answers > 0 ? 'after' : socket.bytesRead > 0 ? 'in' : 'without';
    count(outcomes, target.signal.aborted ? 'still open at the end' : `closed ${when} an answer`);
    await wait(pauseMs ?? RECONNECT_MS, target);
  });
}
