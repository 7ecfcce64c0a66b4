import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@roster/api/openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withKnownRules } from './released.ts';

const run = promisify(execFile);
const redocly = new URL('../node_modules/.bin/redocly', import.meta.url).pathname;
const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** The document of the code. */
function current(): Record<string, unknown> {
  return JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));
}

/** The document that clients know. */
async function released(): Promise<Record<string, unknown>> {
  const file = new URL('../../../packages/api/contract/openapi.released.json', import.meta.url);
  return JSON.parse(await readFile(file, 'utf8'));
}

/** A document as a file, for tools that read nothing else; gone with the test. */
async function written(name: string, document: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roster-diff-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(document));
  return file;
}

function majorOf(document: Record<string, unknown>): number {
  const { version } = document.info as { version: string };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // Before 1.0 it is the minor number that says an existing client may break (semver, item 4).
  return major === 0 ? minor / 1_000 : major;
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

  it('breaks no client of the released document, unless the version says so', async () => {
    const [before, now] = [await released(), current()];
    if (majorOf(now) > majorOf(before)) return;
    const files = [await written('released', withKnownRules(before, now)), await written('openapi', now)];
    const { stderr, stdout } = await run(redocly, ['diff', ...files], {
      env: quiet,
    }).catch((error: { stderr: string; stdout: string }) => error);
    expect(`${stdout}\n${stderr}`).toContain('0 major');
  });

  it('would be told from one that breaks a client', async () => {
    const broken = current();
    delete (broken.paths as Record<string, unknown>)['/agents/{id}'];
    const schemas = (broken.components as { schemas: Record<string, { properties: Record<string, object> }> })
      .schemas;
    Object.assign(schemas.NewOffice?.properties.name ?? {}, { pattern: '^[A-Z]' });
    const before = await written('released', withKnownRules(await released(), broken));
    const file = await written('broken', broken);
    const { stderr, stdout } = await run(redocly, ['diff', before, file], {
      env: quiet,
    }).catch((error: { stderr: string; stdout: string }) => error);
    expect(`${stdout}\n${stderr}`).toContain('path-removed');
    expect(`${stdout}\n${stderr}`).toContain("to '^[A-Z]'. (schema-constraint-changed)");
  });
});
