import { parseArgs } from 'node:util';
import { formatFinding } from './check/finding.ts';
import { diagnose } from './check/index.ts';
import type { Command } from './command.ts';

/** `roster-server check`, or `--check`. */
export const check: Command = {
  name: 'check',
  summary: 'checks the settings, the database and the ports, and changes nothing',
  usage: `roster-server --check [--json]

Checks the settings, the database and the ports, and prints what a start would do. Nothing is changed: no
directory is created, no migration runs. The exit code is 0 if a start would succeed, also with warnings, and 1 if there is a
problem.

  --json   one JSON object: { "ok": boolean, "findings": [{ "level", "subject", "detail", "values" }] }`,
  run: async ({ args, environment, print }) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const findings = await diagnose(environment);
    const isOk = findings.every(({ level }) => level !== 'problem');
    if (values.json) print(JSON.stringify({ ok: isOk, findings }, null, 2));
    else for (const finding of findings) print(formatFinding(finding));
    return isOk ? 0 : 1;
  },
};
