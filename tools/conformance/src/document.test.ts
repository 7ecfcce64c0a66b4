import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@roster/api/openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const redocly = new URL('../node_modules/.bin/redocly', import.meta.url).pathname;
const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** The document of the code. */
function current(): Record<string, unknown> {
  return JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));
}

/** A document as a file, for tools that read nothing else; gone with the test. */
async function written(name: string, document: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-diff-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  return file;
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(current());
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  // `spectral` of package.json: it takes as long as all others together, and most of its rules are among those of Redocly.
  it.runIf(process.env.ROSTER_TEST_SPECTRAL === 'true')(
    "passes Spectral's rules for OpenAPI without an error or a warning",
    async () => {
      const linter = new spectral.Spectral();
      linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
      const results = await linter.run(current());
      expect(results.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`)).toEqual([]);
    },
  );

  it("passes Redocly's recommended rules without an error or a warning", async () => {
    const file = await written('openapi', current());
    const { stdout } = await run(redocly, ['lint', '--extends', 'recommended', '--format', 'json', file], {
      env: quiet,
    }).catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout).totals).toMatchObject({ errors: 0, warnings: 0 });
  });
});
