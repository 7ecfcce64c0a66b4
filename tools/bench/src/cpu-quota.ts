import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** The period of a quota: short, so that a process that has used it up waits for milliseconds. */
const PERIOD_US = 10_000;

const ROOT = '/sys/fs/cgroup';
const isUnified = existsSync(join(ROOT, 'cgroup.controllers'));
const parent = isUnified ? ROOT : join(ROOT, 'cpu');

let groups = 0;

/**
 * Gives a process, with all its threads, at most a share of one core, by a control group of its own (version 1 or 2). Needs root.
 *
 * @returns a function that removes the group; the process must have ended
 */
export function limitCpu(pid: number, share: number): () => void {
  groups += 1;
  const group = join(parent, `roster-bench-${process.pid}-${groups}`);
  const quotaUs = Math.round(PERIOD_US * share);
  if (isUnified) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(group);
  if (isUnified) writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
  else {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
  }
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => rmdirSync(group);
}
