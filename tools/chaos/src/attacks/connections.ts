import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerReader } from './answer-reader.ts';
import { type AttackTarget, count, type Outcomes, scaled } from './attack.ts';

/** How long an attacker waits before it opens a connection again. */
const RECONNECT_MS = 1_000;

const wait = (ms: number, { signal }: Pick<AttackTarget, 'signal'>) =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

function open({ port, localAddress, signal }: AttackTarget): Socket {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, ...(localAddress && { localAddress }) });
  socket.on('error', () => undefined);
  const leave = () => socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', leave));
  return socket;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

interface Connections {
  connections: number;
  /** Whether they begin at the same moment; else one after the other. */
  isBurst?: boolean;
}

/** Runs as many loops as an attack has connections until the attack ends. */
async function loops(
  target: AttackTarget,
  { connections, isBurst = false }: Connections,
  loop: (index: number) => Promise<void>,
): Promise<void> {
  const all = scaled(connections, target);
  const run = async (_: unknown, index: number) => {
    if (!isBurst) await wait((index * RECONNECT_MS) / all, target);
    while (!target.signal.aborted) await loop(index);
  };
  await Promise.all(Array.from({ length: all }, run));
}

interface Held extends Connections {
  /** What each connection sends; nothing of it is copied. */
  bytes: (index: number) => Buffer;
  /** Whether the attacker reads the answers. */
  isRead: boolean;
}

/** Keeps connections open that send something and then nothing more; one that the server closes is opened again. */
export function hold(target: AttackTarget, outcomes: Outcomes, held: Held): Promise<void> {
  return loops(target, held, async (index) => {
    const socket = open(target);
    const end = closed(socket);
    let answers = 0;
    if (held.isRead) {
      const reader = new AnswerReader((status) => {
        answers += 1;
        count(outcomes, String(status));
      });
      socket.on('data', (chunk) => reader.read(chunk));
    }
    socket.write(held.bytes(index));
    await end;
    if (target.signal.aborted) count(outcomes, 'still open at the end');
    else if (answers === 0)
      count(outcomes, socket.bytesRead > 0 ? 'closed in an answer' : 'closed without an answer');
    await wait(RECONNECT_MS, target);
  });
}

interface Repeated extends Connections {
  /** What each request is; nothing of it is copied. */
  bytes: (index: number) => Buffer;
  /** How long each connection waits after an answer before it asks again. */
  pauseMs: number;
}

/** Sends one request after another on each of some connections. */
export function repeat(target: AttackTarget, outcomes: Outcomes, repeated: Repeated): Promise<void> {
  return loops(target, repeated, async (index) => {
    const socket = open(target);
    const end = closed(socket);
    const reader = new AnswerReader((status) => {
      count(outcomes, String(status));
      void wait(repeated.pauseMs, target).then(() => {
        if (socket.writable) socket.write(repeated.bytes(index));
      });
    });
    socket.on('data', (chunk) => reader.read(chunk));
    socket.write(repeated.bytes(index));
    await end;
    if (!target.signal.aborted) count(outcomes, 'connection closed');
    await wait(repeated.pauseMs, target);
  });
}
