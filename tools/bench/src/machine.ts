import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import process from 'node:process';

/** The machine in a line, for a report. */
export function machineLine(): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores of ${model}, ${memoryGiB} GiB, ${system()}, Node ${process.versions.node}`;
}

function system(): string {
  try {
    const name = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return `${name ?? 'Linux'} (kernel ${release()})`;
  } catch {
    return `kernel ${release()}`;
  }
}
