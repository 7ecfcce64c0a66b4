import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestServer } from '@roster/server/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installSuite, type Scenario } from './suite.ts';

// The certification suite that RESO publishes, against the RESO Web API of a server with the samples: `npm exec -- pnpm --filter @roster/conformance run reso`. It is installed
// when it runs, so it is no part of `npm test`, where apps/server/test/reso holds what it demands.

const run = promisify(execFile);
const workspace = join(import.meta.dirname, '../../../..');

/** Imports the samples by the command line. */
async function importSamples(server: { url: string; key: string }): Promise<void> {
  const env = { ...process.env, ROSTER_URL: server.url, ROSTER_KEY: server.key };
  const roster = join(workspace, 'apps/cli/src/roster.js');
  for (const resource of ['offices', 'agents'])
    await run(process.execPath, [roster, resource, 'import', join(workspace, `samples/${resource}.csv`)], {
      env,
    });
}

/** Creates as many offices and teams, each team with a member, as a check of a set needs. */
async function createMore(server: Awaited<ReturnType<typeof startTestServer>>): Promise<void> {
  const agents = await server.request('GET', '/agents?limit=1');
  const [agent] = ((await agents.json()) as { items: { id: string }[] }).items;
  for (let number = 1; number <= 25; number += 1) {
    const members = [{ agentId: agent?.id, role: 'lead' }];
    const response = await server.request('POST', '/teams', { name: `Team ${number}`, members });
    expect(response.status).toBe(201);
    const office = await server.request('POST', '/offices', { name: `Office ${number}` });
    expect(office.status).toBe(201);
  }
}

/** The scenarios that failed, each with what it expected. */
function failuresOf(scenarios: Scenario[]): string[] {
  return scenarios
    .filter(({ passed, skipped }) => !passed && skipped !== true)
    .map(({ scenario, name, assertions }) => {
      const failed = assertions.filter((one) => one.status === 'fail' || one.passed === false);
      const texts = failed.map((one) => one.message ?? `${one.description}: ${one.actual}`);
      return `${scenario ?? name}: ${texts.join('; ')}`;
    });
}

const members = {
  valid: { MemberFirstName: 'Ana', MemberLastName: 'Sousa', MemberLanguages: ['pt'], MemberCity: 'Lisboa' },
  change: { JobTitle: 'Broker', MemberLanguages: ['pt', 'en'] },
  invalid: { MemberFirstName: 'Ana', MemberLastName: 'Sousa', MemberEmail: 'no address', MemberCity: 5 },
};
const offices = {
  valid: { OfficeName: 'Central', OfficeCity: 'Lisboa', OfficeBranchType: 'Main' },
  change: { OfficeCity: 'Porto' },
  invalid: { OfficeName: 'Central', OfficeEmail: 'no address' },
};
const teams = {
  valid: { TeamName: 'Ribeira', TeamCity: 'Porto' },
  change: { TeamDescription: 'Family homes along the Douro.' },
  invalid: { TeamName: 'Ribeira', TeamEmail: 'no address' },
};
const sets = [
  { set: 'Member', key: 'MemberKey', ...members },
  { set: 'Office', key: 'OfficeKey', ...offices },
  { set: 'Teams', key: 'TeamKey', ...teams },
];

describe.runIf(process.env.ROSTER_TEST_RESO === 'true')('the certification suite of RESO', () => {
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let installed: Awaited<ReturnType<typeof installSuite>>;
  let url: string;
  beforeAll(async () => {
    [installed, server] = await Promise.all([installSuite(), startTestServer()]);
    url = `${server.url}/reso`;
    await importSamples(server);
    await createMore(server);
  }, 600_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await installed?.[Symbol.asyncDispose]();
  });

  const auth = () => ({ mode: 'token', authToken: server.key });
  const read = async (path: string) => (await server.request('GET', `/reso${path}`)).json() as Promise<Page>;
  interface Page {
    value: Record<string, unknown>[];
    '@odata.nextLink'?: string;
  }

  /** The payloads of a set in files, as the suite wants them. */
  async function payloadsFor({ set, key, valid, change, invalid }: (typeof sets)[number]): Promise<string> {
    const made: unknown[] = [];
    for (let count = 0; count < 2; count += 1) {
      const created = (await (await server.request('POST', `/reso/${set}`, valid)).json()) as object;
      made.push((created as Record<string, unknown>)[key]);
    }
    const [changed, deleted] = made;
    const directory = join(installed.directory, `payloads-${set}`);
    await mkdir(directory, { recursive: true });
    const files = {
      'create-succeeds': valid,
      'create-fails': invalid,
      'update-succeeds': { [key]: changed, ...change },
      'update-fails': { [key]: changed, ...invalid },
      'delete-succeeds': { id: deleted },
      'delete-fails': { id: crypto.randomUUID() },
    };
    for (const [name, payload] of Object.entries(files))
      await writeFile(join(directory, `${name}.json`), JSON.stringify(payload));
    return directory;
  }

  it('passes Web API Core 2.1.0', async () => {
    const outputDir = join(installed.directory, 'core');
    const resources = ['Member', 'Office', 'Teams', 'TeamMembers', 'Lookup', 'Field'];
    const config = { server: { url, auth: auth() }, version: '2.1.0', resources, options: { outputDir } };
    const { context } = await installed.suite.runCoreCompliance(config, () => undefined);
    const scenarios = (context.resourceReports ?? []).flatMap((report) => report.scenarios);
    expect(scenarios.length).toBeGreaterThan(40);
    expect(failuresOf(scenarios)).toEqual([]);
  });

  it.each(sets)('passes Add/Edit on $set', async (one) => {
    const config = { serverUrl: url, auth: auth(), resource: one.set, payloadsDir: await payloadsFor(one) };
    const { scenarios } = await installed.suite.runAllScenarios(config);
    expect(scenarios).toHaveLength(8);
    expect(failuresOf(scenarios)).toEqual([]);
  });

  it.each(sets)('passes EntityEvent with changes of $set, but for a change of nothing', async (one) => {
    const { scenarios } = await installed.suite.runAllEntityEventScenarios({
      serverUrl: url,
      auth: auth(),
      mode: 'full',
      writableResource: one.set,
      strict: true,
      payloadsDir: await payloadsFor(one),
      maxEvents: 1_000,
      batchSize: 100,
    });
    expect(scenarios).toHaveLength(12);
    // It changes ModificationTimestamp alone, which the service computes. So nothing changes, and there is no event.
    const isOfNothing = ({ scenario }: Scenario) => scenario === 'update-triggers-event';
    expect(failuresOf(scenarios.filter((scenario) => !isOfNothing(scenario)))).toEqual([]);
    expect(failuresOf(scenarios.filter(isOfNothing))).toEqual([
      expect.stringMatching(/^update-triggers-event: Update event has higher sequence than create event/),
    ]);
  });

  describe('of the Data Dictionary 2.0', () => {
    const report = async () => {
      const xml = await (await server.request('GET', '/reso/$metadata')).text();
      const base = installed.suite.generateMetadataReport(xml, '2.0');
      return (await installed.suite.fetchAndMergeLookupResource(base, url, server.key)).report;
    };

    it('finds no error in the metadata, by its schemas and by the dictionary', async () => {
      const xml = await (await server.request('GET', '/reso/$metadata')).text();
      const { xsdErrors, semanticErrors } = await installed.suite.validateMetadata(xml);
      expect([xsdErrors, semanticErrors]).toEqual([[], []]);
      const found = installed.suite.runDdMetadataChecks(await report(), installed.suite.reference);
      expect(found.filter(({ severity }) => severity === 'error')).toEqual([]);
      // Lengths are those of Roster.
      expect(found.filter(({ check }) => check !== 'suggested-max')).toEqual([]);
    });

    it.each(['Member', 'Office', 'Teams', 'TeamMembers', 'Lookup', 'Field', 'EntityEvent'])(
      'finds no error in the entities of %s by the schema of the metadata',
      async (set) => {
        const validator = await installed.suite.createDdSchemaValidator({
          metadataReportJson: await report(),
        });
        let errors: object = {};
        let count = 0;
        for (let next: string | undefined = `/${set}`; next !== undefined; ) {
          const page: Page = await read(next);
          const value = page.value.map(withoutControl);
          errors = validator.validate({ value }, set, '2.0', errors);
          count += value.length;
          next = page['@odata.nextLink']?.slice(url.length);
        }
        expect(count).toBeGreaterThan(20);
        const { totalErrors, report: found } = validator.combine(errors);
        expect(totalErrors, JSON.stringify(found).slice(0, 3_000)).toBe(0);
      },
    );
  });
});

/** An entity without what OData says of it. */
const withoutControl = (entity: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => !name.includes('@')));
