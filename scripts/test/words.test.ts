import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../packages/api/src/errors/error-codes.ts';
import { openApiDocument } from '../../packages/api/src/openapi/document.ts';
import { habitsIn, wordsOf } from '../documents/habits.ts';
import { markdownFiles, root } from '../documents/markdown-files.ts';

const OPERATION_WORDS_MAX = 40;
const FIELD_WORDS_MAX = 20;

/** Strings of all of them reach people: as texts, help, errors and lines of a log. */
const checkedSources = globSync('{apps,packages}/*/src', { cwd: root }).sort();

/** Statements of SQL, and the words that files of customers have. */
const foreignWords = /\/(?:migrations|repeatable)\/|\/(?:synonyms|header-words|choices)\.ts$/;

interface Document {
  paths: Record<string, Record<string, { operationId: string; summary: string; description: string }>>;
}

const openApi: Document = JSON.parse(JSON.stringify(openApiDocument({ baseUrl: '/' })));

const operations = Object.values(openApi.paths).flatMap((methods) => Object.values(methods));

/** The sentence that the document adds to every operation: the scopes, which it also has as data. */
const scopes = / (?:Requires no scope|Needs the scope `[^`]+`(?: or `[^`]+`)*)\.$/;

/** The descriptions in a part of the document by their places, except those of operations and of the document itself. */
function* descriptionsIn(part: unknown, place = ''): Generator<[place: string, text: string]> {
  if (typeof part !== 'object' || part === null) return;
  const isOperation = 'operationId' in part;
  for (const [name, inner] of Object.entries(part)) {
    if (name === 'description' && typeof inner === 'string' && !isOperation) yield [place, inner];
    else if (name !== 'example' && name !== 'examples' && place !== '/info')
      yield* descriptionsIn(inner, `${place}/${name}`);
  }
}

/** Error responses have the titles of their codes, as many as an operation has of one status. */
const isListOfTitles = (place: string) => /^\/components\/responses\/\w+$/.test(place);
const fields = Array.from(descriptionsIn(openApi)).filter(([place]) => place !== '/info');

/** The English messages of the console. */
async function messages(): Promise<string[]> {
  const paths = ['first/en.po', 'en.po'].map((name) => join(root, 'apps/console/src/locales', name));
  const catalogues = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return Array.from(catalogues.join('\n').matchAll(/^msgid ((?:".*"\n)+)/gm), ([, lines = '']) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line): string => JSON.parse(line))
      .join(''),
  ).filter((message) => message !== '');
}

const isSql = (tag: { type: string; name?: string; expression?: { name?: string } }) =>
  (tag.name ?? tag.expression?.name) === 'sql';

/** The texts of three words or more in a source, except statements of SQL. */
function textsOf({ path, source }: { path: string; source: string }): string[] {
  const texts: string[] = [];
  JSON.stringify(parseSync(path, source).program, (_, node) => {
    if (node?.type === 'TaggedTemplateExpression' && isSql(node.tag)) return undefined;
    if (node?.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node?.type === 'TemplateElement') texts.push(node.value.cooked ?? '');
    return typeof node === 'bigint' ? Number(node) : node;
  });
  // Examples of commands have the names of options.
  return texts.filter((text) => wordsOf(text) > 2 && !text.startsWith('roster '));
}

describe('the texts of the reference', () => {
  it(`have at most ${OPERATION_WORDS_MAX} words for an operation beside its scopes`, () => {
    const long = operations.filter(
      ({ description }) => wordsOf(description.replace(scopes, '')) > OPERATION_WORDS_MAX,
    );
    expect(long.map(({ operationId, description }) => `${operationId}: ${description}`)).toEqual([]);
  });

  it(`have at most ${FIELD_WORDS_MAX} words for a field or a parameter`, () => {
    const long = fields.filter(([place, text]) => !isListOfTitles(place) && wordsOf(text) > FIELD_WORDS_MAX);
    expect(long).toEqual([]);
  });

  it('begin with a verb for an operation', () => {
    const others = operations.filter(({ description }) => !/^[A-Z][a-z]+s\b/.test(description));
    expect(others.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('have no habit that needs a second reading', () => {
    const all = [
      ...operations.flatMap(({ summary, description }) => [summary, description]),
      ...fields.filter(([place]) => !isListOfTitles(place)).map(([, text]) => text),
    ];
    expect([...new Set(all)].flatMap((text) => habitsIn(text, 'reference'))).toEqual([]);
  });
});

describe('the texts that the console and the command line show', () => {
  it('have no habit that needs a second reading: errors', () => {
    const all = Object.values(errorCodes).flatMap(({ title, help }) => [title, help]);
    expect(all.flatMap((text) => habitsIn(text, 'dialogue'))).toEqual([]);
  });

  it('have no habit that needs a second reading: messages of the console', async () => {
    expect((await messages()).flatMap((text) => habitsIn(text, 'dialogue'))).toEqual([]);
  });

  it.each(checkedSources)('have no habit that needs a second reading: %s', async (folder) => {
    const paths = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).filter(
      (path) => !path.includes('.test.') && !foreignWords.test(path),
    );
    expect(paths.length).toBeGreaterThan(0);
    const sources = await Promise.all(
      paths.map(async (path) => ({ path, source: await readFile(join(root, path), 'utf8') })),
    );
    expect(sources.flatMap(textsOf).flatMap((text) => habitsIn(text, 'page'))).toEqual([]);
  });
});

describe('the documents', () => {
  it('have no habit that needs a second reading', async () => {
    const files = await markdownFiles();
    const found = files.flatMap(({ path, text }) =>
      text
        .split(/\n{2,}/)
        .flatMap((paragraph) => habitsIn(paragraph, 'page').map((one) => `${path}: ${one}`)),
    );
    expect(found).toEqual([]);
  });
});

describe('the list of habits', () => {
  it.each([
    ['One page of the records, active and inactive alike.', 'reference'],
    ['Repeated, it answers the unchanged office.', 'page'],
    ['The id of the record that is there', 'page'],
    ['You cannot do this', 'dialogue'],
    ['It does not exist for the caller', 'reference'],
  ] as const)('finds “%s”', (text, place) => {
    expect(habitsIn(text, place)).not.toEqual([]);
  });

  it('leaves names in code as they are', () => {
    expect(habitsIn('Filter by `licenses` and `callers`', 'reference')).toEqual([]);
  });
});
