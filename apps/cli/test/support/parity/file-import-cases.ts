import type { Input } from '../../../src/options/fields.ts';
import { type CasesOf, fewChoices, idCases, type ParityCase } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

/** An import of offices whose check has ended. */
async function anImport({ client, unique, ended }: Fixtures, rows?: string): Promise<{ id: string }> {
  const content = `name,type\n${rows ?? `Office ${unique()},`}\n`;
  const { id } = await client.imports.upload.mutate({ resource: 'offices', content });
  await ended(id);
  return { id };
}

/** One that was written and undone. */
async function anUndoneImport(fixtures: Fixtures): Promise<{ id: string }> {
  const { id } = await anImport(fixtures);
  await fixtures.client.imports.undo.mutate({ id });
  return { id };
}

/** The cursor of another list. */
async function otherCursor({ client }: Fixtures): Promise<string> {
  for (const name of ['A', 'B']) await client.offices.create.mutate({ name });
  return (await client.offices.list.query({ limit: 1 })).nextCursor ?? '';
}

const onlyOffices = {
  errorCode: 'insufficient_scope',
  scopes: ['agents:read', 'agents:write'],
} satisfies Partial<ParityCase>;

/** The cases of a list of what belongs to an import. */
function listCases(): [ParityCase, ...ParityCase[]] {
  return [
    { title: 'an import', input: (fixtures) => anImport(fixtures, 'Known,\n,\n') },
    { title: 'an import of another resource', input: anImport, ...onlyOffices },
    {
      title: 'an invalid cursor',
      errorCode: 'invalid_cursor',
      input: async (fixtures) => ({ ...(await anImport(fixtures)), cursor: 'x' }),
    },
    {
      title: 'the cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ ...(await anImport(fixtures)), cursor: await otherCursor(fixtures) }),
    },
    ...idCases(),
  ];
}

const uploaded = (more: Input): Input => ({ resource: 'offices', content: 'name\nBaixa\n', ...more });

/** The cases of imports of files. */
export const fileImportCases: CasesOf = {
  preview: [
    {
      title: 'the beginning of a file',
      input: () => ({ resource: 'offices', beginning: 'TmFtZSxQaG9uZQpCYWl4YSwK' }),
    },
    { title: 'an empty file', errorCode: 'validation_failed', input: () => ({ beginning: '' }) },
    {
      title: 'a file of a resource that the key may not change',
      input: () => ({ resource: 'offices', beginning: 'TmFtZSxQaG9uZQpCYWl4YSwK' }),
      ...onlyOffices,
    },
  ],
  upload: [
    { title: 'a file', input: () => uploaded({ name: 'offices.csv', ignoreUnknown: true }) },
    {
      title: 'an unknown column',
      errorCode: 'validation_failed',
      input: () => uploaded({ content: 'nme\nx\n' }),
    },
    { title: 'an empty file', errorCode: 'validation_failed', input: () => uploaded({ content: '' }) },
    {
      title: 'a file of a resource that the key may not change',
      input: () => uploaded({}),
      ...onlyOffices,
    },
  ],
  list: [
    {
      title: 'imports of a resource and a status',
      input: async (fixtures) => {
        await anImport(fixtures);
        return { resource: ['offices'], status: ['completed'], sort: '-createdAt', limit: 1 };
      },
    },
    {
      title: 'a resource that the key may not read',
      input: () => ({ resource: ['offices'] }),
      ...onlyOffices,
    },
    {
      title: 'an unknown status',
      errorCode: 'invalid_parameter',
      input: () => ({ status: ['done'] }),
      except: fewChoices,
    },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'the cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await otherCursor(fixtures) }),
    },
  ],
  get: [
    { title: 'an import', input: (fixtures) => anImport(fixtures) },
    { title: 'an import of another resource', input: (fixtures) => anImport(fixtures), ...onlyOffices },
    ...idCases(),
  ],
  rows: listCases(),
  errors: listCases(),
  write: [
    { title: 'a checked import', input: (fixtures) => anImport(fixtures) },
    {
      title: 'an import with a row that was rejected',
      errorCode: 'import_unconfirmed',
      input: (fixtures) => anImport(fixtures, ',main'),
    },
    { title: 'an import that was undone', errorCode: 'import_undone', input: anUndoneImport },
    {
      title: 'something that no check finds',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await anImport(fixtures)), confirm: ['all'] }),
      except: fewChoices,
    },
    ...idCases(),
  ],
  resume: [
    { title: 'an import that has ended', input: (fixtures) => anImport(fixtures) },
    { title: 'an import that was undone', errorCode: 'import_undone', input: anUndoneImport },
    ...idCases(),
  ],
  cancel: [{ title: 'an import that has ended', input: (fixtures) => anImport(fixtures) }, ...idCases()],
  undo: [
    {
      title: 'an import, with a reason',
      input: async (fixtures) => ({ ...(await anImport(fixtures)), reason: 'Wrong' }),
    },
    {
      title: 'a reason that is too long',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await anImport(fixtures)), reason: 'x'.repeat(501) }),
    },
    ...idCases(),
  ],
};
