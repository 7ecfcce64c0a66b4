// Run by `npm run verify`: asks the registry whether anything is known against what a server or a client is shipped with. Fails where something
// is; where the registry cannot be asked it says so, loudly, and does not fail: a network is no finding.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';

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
  /** Whether the registry answered, and knows nothing of moderate severity or worse. */
  kind: 'clean' | 'found' | 'unasked';
  /** For people: what is known, or why nothing is. */
  text: string;
}

/** Asks for the production dependencies of the lockfile. `env` may name another registry (`pnpm_config_registry`). */
export async function audit(env: NodeJS.ProcessEnv): Promise<Verdict> {
  const words = ['audit', '--prod', '--audit-level=moderate', '--json'];
  const child = spawn('pnpm', words, { cwd: join(import.meta.dirname, '../..'), env });
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
    unasked: `${'!'.repeat(78)}\nNOT AUDITED: the registry could not be asked about the production dependencies.`,
  }[kind];
  process.stderr.write(`${title}\n${text}\n`);
  process.exitCode = kind === 'found' ? 1 : 0;
}
