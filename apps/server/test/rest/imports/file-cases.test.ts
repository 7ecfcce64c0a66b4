import type { ImportPreview } from '@roster/api';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileCases, fileReport, seedFileCases } from '../../support/file-cases.ts';
import { imported, upload, written } from '../../support/file-imports.ts';
import { bodyOf } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

const server = useServer();
const cases = fileCases();

beforeAll(() => seedFileCases(server(), cases));

describe('a file of a program, a register or a spreadsheet', () => {
  it.each(cases)('is imported through REST with the expected records: $name', async (one) => {
    const { name, bytes, resource, options, preview, dateDoubts, report } = one;
    const problem = one.problem ?? one.restProblem;
    const { mapping, encoding, sourceName } = options;
    const beginning = bytes.toString('base64');
    const previewed = await server().request('PUT', '/imports/preview', { beginning, name, encoding });
    const query = new URLSearchParams({
      ignoreUnknown: 'true',
      name,
      ...(encoding !== undefined && { encoding }),
      ...(sourceName !== undefined && { sourceName }),
      ...(mapping !== undefined && { mapping: JSON.stringify(mapping) }),
    });
    const path = `/imports/${resource}/file?${query}`;
    const headers = { 'Content-Type': 'application/octet-stream' };
    if (problem !== undefined) {
      for (const response of [previewed, await upload(server(), bytes, { path, headers })])
        expect(await bodyOf(response)).toMatchObject({
          detail: expect.stringContaining(problem.advice),
          errors: [{ code: problem.code }],
        });
      return;
    }
    const { columns, ...found } = await bodyOf<ImportPreview>(previewed);
    expect(found).toMatchObject({ resource, ...preview });
    const doubts = columns.flatMap(({ name, dateDoubt }) => (dateDoubt === null ? [] : [[name, dateDoubt]]));
    expect(Object.fromEntries(doubts)).toEqual(dateDoubts);
    const { id, findings } = await imported(server(), bytes, { path, headers });
    await written(server(), id, { acceptWarnings: findings?.warnings ?? [], skip: ['errors'] });
    expect(await fileReport(server(), id)).toEqual(report);
  });
});
