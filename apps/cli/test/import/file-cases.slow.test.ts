import type { ImportError } from '@roster/client';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { fileCases, fileReport, seedFileCases } from '@roster/server/testing/file-cases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

const cases = fileCases();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await seedFileCases(server, cases);
});
afterAll(() => server[Symbol.asyncDispose]());

/** The options of a command line that say of a file what its case says. */
function optionsOf({ options, report: { warnings } }: (typeof cases)[number]): string[] {
  const { encoding, sourceName, mapping: { columns = {}, dates = {}, phoneCountry } = {} } = options;
  const given = (option: string, value: string | undefined) => (value === undefined ? [] : [option, value]);
  const pairs = (option: string, said: Record<string, string>) =>
    Object.entries(said).flatMap(([header, value]) => [option, `${header}=${value}`]);
  return [
    ...given('--encoding', encoding),
    ...given('--source', sourceName),
    ...given('--phone-country', phoneCountry),
    ...pairs('--map', columns),
    ...pairs('--dates', dates),
    ...Object.keys(warnings).flatMap((kind) => ['--accept-warning', kind]),
  ];
}

describe('a file of a program, a register or a spreadsheet', () => {
  it.each(cases)('is imported by the command line with the expected records: $name', async (one) => {
    const { path, resource, problem, report } = one;
    const argv = [
      resource,
      'import',
      path,
      '--json',
      '--ignore-unknown',
      '--skip',
      'errors',
      ...optionsOf(one),
    ];
    const { exit, stdout, stderr } = await runCli(argv, server);
    expect(exit === 0).toBe(problem === undefined && report.errors.length === 0);
    const printed = JSON.parse(exit === 0 ? stdout : stderr.slice(stderr.search(/^\{/m)));
    if (problem !== undefined) {
      expect(printed).toMatchObject({
        detail: expect.stringContaining(problem.advice),
        errors: [{ code: problem.code }],
      });
      return;
    }
    // An import that is written has the number of its errors, an error the list of them.
    const { id, importId = id } = printed;
    const errors = exit === 0 ? [] : printed.errors;
    const shown = errors.map(({ row, column, code }: ImportError) => [row, column, code].join(' '));
    expect(shown).toEqual(report.errors);
    expect(await fileReport(server, importId)).toEqual(report);
  });
});

describe('a workbook', () => {
  const pathOf = (wanted: string) => cases.find(({ name }) => name === wanted)?.path ?? '';
  const importing = (file: string, ...options: string[]) =>
    runCli(['agents', 'import', pathOf(file), ...options], server);

  it('is read from its first sheet with rows, which is said, or from the one in --sheet', async () => {
    const first = await importing('excel-workbook.xlsx', '--dry-run');
    expect(first.stderr).toContain(
      'Reading the sheet "Staff". Other sheets: "Cover", "Left" (--sheet <name>)\n',
    );
    const { exit, stdout } = await importing('excel-workbook.xlsx', '--sheet', 'Left', '--json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { rows: 1, created: 1 }]);
  });

  it.each([
    [['excel-workbook.xlsx', '--sheet', 'Cover'], 'the sheet "Cover" is empty'],
    [
      ['excel-workbook.xlsx', '--sheet', 'Gone'],
      'the workbook has no sheet "Gone"; it has Cover, Staff, Left',
    ],
    [['excel-workbook.xlsx', '--encoding', 'utf-8'], '--encoding do not apply to a workbook'],
    [['excel-workbook.xlsx', '--format', 'ndjson'], '--format ndjson and --encoding do not apply'],
    [['numbers.csv', '--sheet', 'Staff'], '--sheet applies to workbooks (.xlsx) only'],
  ])(
    'does not ignore an option that means nothing for a file: %j',
    async ([file = '', ...options], message) => {
      const { exit, stderr } = await importing(file, ...options);
      expect(exit).not.toBe(0);
      expect(stderr).toContain(message);
    },
  );
});
