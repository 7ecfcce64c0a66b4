import type { Input } from '../../../src/input/fields.ts';
import { type CasesOf, type DoorCase, fewChoices, idCases, onlyKnown, UNKNOWN } from './case.ts';
import type { Stage } from './isolated-service.ts';
import { type RecordNoun, type StagedNoun, stagedNouns, staleCase } from './staged-records.ts';
import { transitionCases } from './transition-cases.ts';

/** A cursor that goes on with the records by time. */
async function withCursor(stage: Stage, { noun, make }: StagedNoun, query: Input = {}): Promise<Input> {
  await make(stage);
  await make(stage);
  const { nextCursor } = await stage.client[noun].list.query({ ...query, limit: 1, sort: 'createdAt' });
  return { ...query, sort: 'createdAt', cursor: nextCursor };
}

function listCases(staged: StagedNoun): CasesOf[string] {
  const refused = (title: string, input: Input, except?: DoorCase['except']): DoorCase => ({
    title,
    refusal: 'invalid_parameter',
    input: () => input,
    ...(except && { except }),
  });
  return [
    { title: 'a page', input: async (stage) => ({ ids: [(await staged.make(stage)).id] }) },
    {
      title: 'every kind of parameter',
      input: async (stage) => {
        const query = { status: ['active', 'inactive'], createdSince: '2026-01-31T08:00:00+01:00' };
        return { ...(await withCursor(stage, staged, query)), limit: 2, includeTotal: true };
      },
    },
    { title: 'a search that finds nothing', input: () => ({ q: 'nobody 東京', country: ['PT'] }) },
    refused('a limit of nothing', { limit: 0 }),
    refused('a limit that is no number', { limit: 'many' }),
    refused('a limit that is not whole', { limit: 1.5 }),
    refused('a limit out of all bounds', { limit: '-99999999999999999999' }),
    refused('a sort that is none', { sort: 'height' }, fewChoices),
    refused('a state that is none, beside one that is', { status: ['active', 'gone'] }, fewChoices),
    refused('a search with a character that is none', { q: 'a\0b' }),
    refused('a search that is too long', { q: 'x'.repeat(201) }),
    refused('several faults at once', {
      limit: -1,
      q: '',
      ids: [UNKNOWN, ''],
      createdBefore: '2026-02-30',
    }),
    refused('a time that is none', { updatedSince: 'yesterday' }),
    refused('an id that is none', { ids: ['x', UNKNOWN] }),
    refused('a parameter that is none', { nothing: 'x' }, onlyKnown),
    refused('a switch that is neither', { includeTotal: 'maybe' }, { cli: 'a switch takes no value' }),
    { title: 'a cursor that is none', refusal: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      refusal: 'cursor_mismatch',
      input: async (stage) => ({ ...(await withCursor(stage, staged)), sort: '-updatedAt' }),
    },
  ];
}

function createCases({ noun, required, make }: StagedNoun): CasesOf[string] {
  const refused = (title: string, input: Input): DoorCase => ({
    title,
    refusal: 'validation_failed',
    input: () => input,
  });
  return [
    { title: 'the least there can be', input: () => required },
    {
      title: 'objects, lists and pairs',
      input: ({ unique }) => ({
        ...required,
        email: 'Ana@Atlantico.EXAMPLE'.replace('Ana', `ana${unique()}`),
        website: 'https://例え.example/道',
        address: { city: '東京', country: 'JP' },
        licenses: [{ number: 'A,1', region: '11' }, { number: 'B' }],
        metadata: { costCentre: '47=11', ключ: 'значение' },
        source: { name: 'MLS', key: `k ${unique()}` },
      }),
    },
    refused('nothing at all', {}),
    refused('empty text', Object.fromEntries(Object.keys(required).map((name) => [name, ' ']))),
    refused('wrong types', { ...required, phone: 7, address: 'Porto', licenses: {}, metadata: { a: 1 } }),
    refused(
      'null where something must be',
      Object.fromEntries(Object.keys(required).map((name) => [name, null])),
    ),
    refused('fields that are none', { ...required, nothing: 1, 'a/b~c': 2, address: { planet: 'Earth' } }),
    refused('what only the service writes', { ...required, id: undefined, status: 'inactive', version: 9 }),
    refused('values that break rules', {
      ...required,
      email: 'nobody',
      website: 'ftp://x',
      address: { country: 'XX' },
      licenses: [{}],
      bio: 'x'.repeat(4_001),
    }),
    refused('half a source', { ...required, source: { name: 'MLS' } }),
    {
      title: 'a source that is taken',
      refusal: 'source_taken',
      input: async (stage) => {
        const source = { name: 'MLS', key: `taken ${stage.unique()}` };
        const { id } = await make(stage);
        await stage.client[noun].update.mutate({ id, source });
        return { ...required, source };
      },
    },
  ];
}

function updateCases(staged: StagedNoun): CasesOf[string] {
  const { make } = staged;
  const changing = (title: string, changes: Input, refusal?: DoorCase['refusal']): DoorCase => ({
    title,
    ...(refusal && { refusal }),
    input: async (stage) => ({ id: (await make(stage)).id, ...changes }),
  });
  return [
    {
      title: 'some fields of the version that is there',
      input: async (stage) => ({ id: (await make(stage)).id, bio: 'New', phone: null, ifVersion: 1 }),
    },
    changing('nothing that is not so already', { phone: null, metadata: {} }),
    changing('parts of objects, lists, and pairs', {
      address: { city: 'Porto', line1: null },
      licenses: [{ number: 'Z' }],
      metadata: { a: '1', b: null },
    }),
    changing('wrong types', { bio: 7, metadata: [] }, 'validation_failed'),
    changing('fields that are none', { nothing: true, updatedAt: 'x' }, 'validation_failed'),
    changing(
      'what must be there',
      Object.fromEntries(Object.keys(staged.required).map((n) => [n, null])),
      'validation_failed',
    ),
    staleCase(staged, { bio: 'Late' }),
    {
      title: 'a source that is taken',
      refusal: 'source_taken',
      input: async (stage) => {
        const source = { name: 'MLS', key: `taken ${stage.unique()}` };
        const [one, other] = [await make(stage), await make(stage)];
        await stage.client[staged.noun].update.mutate({ id: one.id, source });
        return { id: other.id, source };
      },
    },
    ...idCases({ bio: 'x' }),
  ];
}

/** What holds for offices and agents alike. */
export function recordCases(noun: RecordNoun): CasesOf {
  const staged = stagedNouns[noun];
  return {
    list: listCases(staged),
    create: createCases(staged),
    update: updateCases(staged),
    ...transitionCases(staged),
  };
}
