import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { CollectedSpan } from './trace-collector.ts';

export type { CollectedSpan };

const program = fileURLToPath(new URL('trace-collector.ts', import.meta.url));

/** A collector of traces, in a process of its own. */
export interface Collector extends AsyncDisposable {
  url: string;
  /** Ends it, and returns all spans that it received. */
  collected(): Promise<CollectedSpan[]>;
}

export async function startCollector(): Promise<Collector> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const spans: CollectedSpan[] = [];
  const [url] = (await once(lines, 'line')) as [string];
  lines.on('line', (line) => spans.push(JSON.parse(line)));
  // Whatever it has written is read before this event.
  const ended = once(lines, 'close');
  const collected = async () => {
    child.stdin.end();
    await ended;
    return spans;
  };
  return { url, collected, [Symbol.asyncDispose]: async () => void (await collected()) };
}
