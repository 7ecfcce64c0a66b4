import { RosterError } from '@roster/client';
import { useSyncExternalStore } from 'react';

/** What is going on with an import in this page. */
export interface RunState {
  /** The rows that are read so far, while a file is read. */
  readRows?: number;
  /** Why it waits before it tries again; undefined while it works. */
  waitsFor?: string;
}

interface Run {
  controller: AbortController;
  state: RunState;
}

const runs = new Map<string, Run>();
const failures = new Map<string, unknown>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is going on with an import in this page; undefined if nothing is, for example after a reload. */
export function useRun(id: string): RunState | undefined {
  return useSyncExternalStore(subscribe, () => runs.get(id)?.state);
}

/** Why the last run of an import ended before its end; undefined if it did not. */
export function useFailure(id: string): unknown {
  return useSyncExternalStore(subscribe, () => failures.get(id));
}

/** Shows what a run does. */
export function showRun(id: string, state: RunState): void {
  const run = runs.get(id);
  if (run === undefined) return;
  run.state = state;
  changed();
}

/** Ends a run. What was sent is still answered; nothing more is sent. */
export function stopRun(id: string): void {
  runs.get(id)?.controller.abort(new DOMException('Stopped', 'AbortError'));
}

/** The name of the lock of an import, so that two tabs do not work on it at the same time. */
const lockOf = (id: string) => `roster.import.${id}`;

async function withLock(id: string, work: () => Promise<void>): Promise<void> {
  // Without a secure context there are no locks. The keys of the batches hold then too, only the work is done twice.
  if (navigator.locks === undefined) return work();
  await navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
    if (lock === null) throw new Error('Another tab of this browser is working on this import.');
    await work();
  });
}

/** Works on an import until it is done, fails or is stopped. It goes on while other views are open. */
export async function startRun(id: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  if (runs.has(id)) return;
  const controller = new AbortController();
  runs.set(id, { controller, state: {} });
  failures.delete(id);
  changed();
  try {
    await withLock(id, () => work(controller.signal));
  } catch (error) {
    if (!controller.signal.aborted) failures.set(id, error);
  } finally {
    runs.delete(id);
    changed();
  }
}

const RETRY_MS = 3_000;

const isTransient = (error: unknown): error is RosterError =>
  error instanceof RosterError &&
  (error.code === 'network' ||
    error.code === 'idempotency_in_progress' ||
    [429, 502, 503, 504].includes(error.status));

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Repeats a call as long as the service cannot be reached or has too much to do, until the signal fires. */
export async function withPatience<Value>(
  id: string,
  signal: AbortSignal,
  call: () => Promise<Value>,
): Promise<Value> {
  while (true) {
    try {
      const value = await call();
      showRun(id, {});
      return value;
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      showRun(id, { waitsFor: error.message });
      await pause(Math.max(RETRY_MS, error.retryAfterMs ?? 0), signal);
    }
  }
}
