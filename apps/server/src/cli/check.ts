import { parseArgs } from 'node:util';
import { formatFinding } from '../diagnostics/finding.ts';
import { diagnose } from '../diagnostics/index.ts';
import type { Command } from './command.ts';

export const check: Command = {
  name: 'check',
  summary: 'says what a start would do and what is wrong, and changes nothing',
  usage: `roster-server --check [--json]

Reads the settings, looks at the database and at the address to listen on, and says what a start would do. Nothing is
changed: no directory is made, no migration run. Ends with 0 where a start would succeed, and with 1 where there is a
problem; warnings are none.

  --json   one JSON object: { "ok": boolean, "findings": [{ "level", "subject", "detail", "values" }] }`,
  run: async ({ args, environment, print }) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const findings = await diagnose(environment);
    const isWell = findings.every(({ level }) => level !== 'problem');
    if (values.json) print(JSON.stringify({ ok: isWell, findings }, null, 2));
    else for (const finding of findings) print(formatFinding(finding));
    return isWell ? 0 : 1;
  },
};
