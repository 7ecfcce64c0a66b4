import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory a process has had resident so far, in MiB; undefined once it is gone. Linux alone says. */
export function peakOf({ pid }: ChildProcess): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}
