import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SCOPE = '@reso-standards';
/** The suite and its parts, and what it reads XML and JSON schemas with, in the versions that are known to work. */
const versions = {
  [`${SCOPE}/reso-certification`]: '0.10.6',
  [`${SCOPE}/reso-client`]: '0.2.2',
  [`${SCOPE}/reso-common`]: '0.2.1',
  [`${SCOPE}/reso-validation`]: '0.1.0',
  ajv: '8.20.0',
  'ajv-errors': '3.0.0',
  'ajv-formats': '3.0.1',
  'fast-xml-parser': '5.12.1',
  'libxml2-wasm': '0.7.2',
  'odata-csdl': '0.11.2',
};
/** Parts of the suite that no registry has: their place is taken by what `stand-ins` has. */
const standIns = ['reso-metadata-utils', 'odata-expression-parser'];

/** The modules of the suite that have what is used of it. */
const usedParts = [
  ...['index', 'sdk/metadata-validation', 'metadata/lookup-resource'],
  ...['metadata/dd-metadata-checks', 'cli/schema-command'],
];

export interface Scenario {
  /** Its name, which endorsements write under different names. */
  scenario?: string;
  name?: string;
  passed: boolean;
  skipped?: boolean;
  assertions: {
    description?: string;
    message?: string;
    status?: string;
    passed?: boolean;
    actual?: string;
  }[];
}

type Run = (config: object) => Promise<{ scenarios: Scenario[] }>;

/** What is used of the suite. */
export interface Suite {
  runAllScenarios: Run;
  runAllEntityEventScenarios: Run;
  runCoreCompliance(
    config: object,
    onProgress: () => void,
  ): Promise<{ context: { resourceReports?: { scenarios: Scenario[] }[] } }>;
  validateMetadata(xml: string): Promise<{ xsdErrors: unknown[]; semanticErrors: unknown[] }>;
  fetchAndMergeLookupResource(base: unknown, url: string, token: string): Promise<{ report: object }>;
  generateMetadataReport(xml: string, version: string): unknown;
  runDdMetadataChecks(report: object, reference: unknown): { severity: string; check: string }[];
  reference: unknown;
  createDdSchemaValidator(options: { metadataReportJson: object }): Promise<{
    validate(payload: { value: unknown[] }, resource: string, version: string, errors: object): object;
    combine(errors: object): { totalErrors: number; report: unknown };
  }>;
}

/** The suite in a directory of its own, which is removed at the end: nothing of the workspace depends on it. */
export async function installSuite(): Promise<AsyncDisposable & { suite: Suite; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'roster-reso-'));
  for (const name of standIns)
    await cp(join(import.meta.dirname, 'stand-ins', name), join(directory, name), { recursive: true });
  const replaced = Object.fromEntries(standIns.map((name) => [`${SCOPE}/${name}`, `file:./${name}`]));
  const dependencies = { ...versions, ...replaced };
  const manifest = { private: true, type: 'module', dependencies, overrides: dependencies };
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  const part = (file: string) => import(pathToFileURL(join(directory, 'node_modules', SCOPE, file)).href);
  const { default: etl } = await part('reso-certification/dist/etl/index.cjs');
  const { generateMetadataReport } = await part('reso-metadata-utils/index.ts');
  const suite = { generateMetadataReport, reference: etl.getReferenceMetadata('2.0') };
  for (const file of usedParts) Object.assign(suite, await part(`reso-certification/dist/${file}.js`));
  const remove = () => rm(directory, { recursive: true, force: true });
  return { suite: suite as Suite, directory, [Symbol.asyncDispose]: remove };
}
