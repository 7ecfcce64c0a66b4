import type { Outcome } from './run-cli.ts';

/** An outcome without its times, which differ from run to run. */
export function timeless({ exit, stdout, stderr }: Outcome): Outcome {
  const without = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { exit, stdout: without(stdout), stderr: without(stderr) };
}
