import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const { at, client } = useTestService(async ({ client }) => {
  await client().offices.create.mutate({ name: 'Porto Office' });
});
const directory = mkdtempSync(join(tmpdir(), 'roster-import-plain-'));
let files = 0;

/** The end of an import: the counts of its report that are not 0, and what it said. */
interface Imported extends Record<string, unknown> {
  exit: number;
  stderr: string;
}

/** Imports a text as CSV. */
async function importing(
  resource: 'offices' | 'agents',
  lines: string[],
  options: string[] = [],
): Promise<Imported> {
  files += 1;
  const file = join(directory, `${files}.csv`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const env = { XDG_CONFIG_HOME: join(directory, 'config') };
  const { exit, stdout, stderr } = await at('pipe', [resource, 'import', file, '--json', ...options], {
    env,
  });
  const { id: _, ...counts }: Record<string, unknown> = exit === 0 ? JSON.parse(stdout) : {};
  return { exit, stderr, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) };
}

describe('a plain spreadsheet without keys', () => {
  const header =
    'First Name,Last Name,E-mail,Phone Number,Job Title,Office,Street,City,State,Zip,Country Code,License #,Languages Spoken';
  const ana =
    'Ana,Reis,ana@plain.example,+351 210 000 001,Broker,Porto Office,Rua 1,Porto,13,4000-001,PT,A1,"pt-PT,en"';

  it('is imported with its headers', async () => {
    expect(await importing('agents', [header, ana])).toMatchObject({
      exit: 0,
      rows: 1,
      created: 1,
      createdWithoutKey: 1,
    });
    const { items } = await client().agents.list.query({ email: ['ana@plain.example'], expand: 'office' });
    expect(items).toMatchObject([
      {
        firstName: 'Ana',
        lastName: 'Reis',
        phone: '+351210000001',
        title: 'Broker',
        languages: ['pt-PT', 'en'],
        address: { line1: 'Rua 1', city: 'Porto', region: '13', postalCode: '4000-001', country: 'PT' },
        office: { name: 'Porto Office' },
        licenses: [{ number: 'A1' }],
        source: null,
      },
    ]);
  });

  it('imported again updates the records with the e-mail addresses, and says how many would be created again', async () => {
    const lines = [
      'first_name,LAST NAME,Email Address,mobile',
      'Rui,Sá,rui@plain.example,+351210000001',
      'Eva,Paz,,+351210000002',
    ];
    expect(await importing('agents', lines)).toMatchObject({
      created: 2,
      createdWithoutKey: 2,
      createdWithoutEmail: 1,
    });
    const changed = lines.map((line) =>
      line.replace('rui@plain.example,+351210000001', 'RUI@plain.example,+351210000009'),
    );
    // Whether the new one is compared with the first by now, who looks like it, does not matter.
    const { stderr, lookAlikes: _, ...again } = await importing('agents', changed);
    expect(again).toEqual({
      exit: 0,
      rows: 2,
      created: 1,
      updated: 1,
      matchedByEmail: 1,
      createdWithoutKey: 1,
      createdWithoutEmail: 1,
    });
    expect(stderr).toContain('Rows without a key: 1 matched by email, 1 created.\n');
    expect(stderr).toContain(
      'Importing the file again would create 1 of these twice, because they have neither a key nor an email.',
    );
    const { items } = await client().agents.list.query({ q: 'rui sá' });
    expect(items).toMatchObject([{ mobilePhone: '+351210000009', version: 2 }]);
    const matched = await importing('agents', changed.slice(0, 2));
    expect(matched).toMatchObject({ exit: 0, rows: 1, unchanged: 1, matchedByEmail: 1 });
  });

  it('does not turn an agent into another person, unless renames are accepted, and says by what each row matched', async () => {
    const { id } = await client().agents.create.mutate({
      firstName: 'Ilda',
      lastName: 'Nunes',
      email: 'ilda@plain.example',
    });
    const lines = ['First,Last,Email', 'Joel,Pires,ilda@plain.example', 'Novo,Agente,novo@plain.example'];
    const matches = join(directory, 'matches.csv');
    const refused = await importing('agents', lines, ['--dry-run', '--matches', matches]);
    expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('--accept-warning renames')]);
    expect(refused.stderr).toContain(`row 2 (${id}): firstName: "Ilda" → "Joel"`);
    expect(readFileSync(matches, 'utf8')).toBe(
      `\uFEFFrow,line,status,matchedBy,id\n2,2,warning,email,${id}\n3,3,created,,\n`,
    );
    expect(await client().agents.get.query({ id })).toMatchObject({ firstName: 'Ilda', version: 1 });
    const without = await importing('agents', lines, ['--skip', 'renames']);
    expect(without).toMatchObject({ exit: 0, created: 1, skipped: 1 });
    expect(await client().agents.get.query({ id })).toMatchObject({ firstName: 'Ilda', version: 1 });
    const options = ['--accept-warning', 'renames', '--matches', matches];
    expect(await importing('agents', lines, options)).toMatchObject({ exit: 0, unchanged: 1, updated: 1 });
    expect(readFileSync(matches, 'utf8')).toContain(`2,2,warning,email,${id}\n`);
    expect(await client().agents.get.query({ id })).toMatchObject({ firstName: 'Joel', version: 2 });
  });

  it('of offices is matched by e-mail address and name, and an "Address" beside a "City" is the street', async () => {
    const lines = [
      'Company Name,Mail,Address,City',
      'Faro,info@plain.example,Rua 2,Faro',
      'Lagos,info@plain.example,,',
    ];
    expect(await importing('offices', lines)).toMatchObject({ created: 2, createdWithoutKey: 2 });
    expect(await importing('offices', lines)).toMatchObject({ unchanged: 2, matchedByEmail: 2 });
    const { items } = await client().offices.list.query({ q: 'faro' });
    expect(items).toMatchObject([{ address: { line1: 'Rua 2', city: 'Faro' } }]);
  });

  it('has its results predicted by a dry run', async () => {
    const lines = ['Given Name,Surname', 'Dry,Run'];
    const { stderr, ...counts } = await importing('agents', lines, ['--dry-run']);
    expect(counts).toMatchObject({ exit: 0, created: 1, createdWithoutKey: 1, createdWithoutEmail: 1 });
    expect(stderr).toContain('Nothing was written.');
    expect((await client().agents.list.query({ q: 'dry run' })).items).toEqual([]);
  });

  it('is rejected if a row has half a key, or two rows have one e-mail address', async () => {
    const half = await importing('agents', ['source.name,source.key,firstName,lastName', 'A,,B,C']);
    expect([half.exit, half.stderr]).toEqual([1, expect.stringContaining('needs both a name and a key')]);
    const twice = ['First,Last,Email', 'A,B,twice@plain.example', 'C,D,TWICE@plain.example'];
    const repeated = await importing('agents', twice);
    expect([repeated.exit, repeated.stderr]).toEqual([1, expect.stringContaining('is also that of row 2')]);
  });
});

describe('a file with rows that have errors', () => {
  const lines = ['First,Last,Email', 'Good,Row,good@plain.example', 'Bad,Row,no address'];

  it('with --json is answered by its errors as JSON, after the progress', async () => {
    const { exit, stderr } = await importing('agents', lines, ['--dry-run']);
    expect(exit).toBe(1);
    expect(JSON.parse(stderr.slice(stderr.indexOf('{')))).toMatchObject({
      detail: '1 of 2 rows have errors, and nothing was written',
      total: 2,
      rowsWithErrors: 1,
      errors: [{ row: 3, column: 'Email', value: 'no address' }],
    });
  });

  it('is written without them if that is asked for', async () => {
    expect(await importing('agents', lines)).toMatchObject({ exit: 1 });
    const skipped = await importing('agents', lines, ['--skip', 'errors']);
    expect([skipped.exit, skipped.stderr]).toEqual([
      1,
      expect.stringContaining('1 of 2 rows have errors, and the others were written'),
    ]);
    const { items } = await client().agents.list.query({ email: ['good@plain.example'] });
    expect(items).toHaveLength(1);
  });

  it('says that nothing was written if all are', async () => {
    const { stderr } = await importing('agents', lines.toSpliced(1, 1), ['--skip', 'errors']);
    expect(stderr).toContain('1 of 1 rows have errors, and nothing was written');
  });
});

describe('a column with an unknown name', () => {
  const lines = ['Vorname,Nachname,E-Mail', 'Udo,Lindt,udo@plain.example'];

  it('is reported with the three closest columns and a hint at --map', async () => {
    const { exit, stderr } = await importing('agents', ['Frist Name,Last Name,Colour', 'A,B,red']);
    expect(exit).toBe(2);
    expect(stderr).toContain('"Frist Name" is not a known column, "Colour" is not a known column\n');
    expect(stderr).toMatch(/Closest to "Frist Name": firstName, \S+, \S+\.\n/);
    expect(stderr).toMatch(/Closest to "Colour": \S+, \S+, \S+\.\n/);
    expect(stderr).toContain('--map "Frist Name=<column>"');
  });

  it('is mapped by --map to any name of a column', async () => {
    const map = ['--map', 'Vorname=firstName', '--map', 'nachname = Last Name'];
    expect(await importing('agents', lines, map)).toMatchObject({ exit: 0, created: 1 });
    const { items } = await client().agents.list.query({ email: ['udo@plain.example'] });
    expect(items).toMatchObject([{ firstName: 'Udo', lastName: 'Lindt' }]);
    const other = await importing(
      'agents',
      ['firstName,lastName,email', 'Bio,Text,m@plain.example'],
      ['--map', 'email=metadata.mail'],
    );
    expect(other).toMatchObject({ exit: 0, created: 1, createdWithoutEmail: 1 });
  });

  it('is mapped as before by the name under which its mapping was kept', async () => {
    const file = ['Rufname,Nachname', 'Uwe,Kern'];
    const map = ['--map', 'Rufname=firstName', '--map', 'Nachname=lastName', '--mapping', 'HR'];
    expect(await importing('agents', file, map)).toMatchObject({ exit: 0, created: 1 });
    const again = ['Rufname,Nachname', 'Ute,Kern'];
    expect(await importing('agents', again, ['--mapping', 'HR'])).toMatchObject({ exit: 0, created: 1 });
    expect((await importing('agents', again, ['--mapping', 'Other'])).exit).toBe(2);
  });

  it('keeps with its mapping what empty cells do', async () => {
    const columns = 'Rufname,Nachname,E-mail,Durchwahl';
    const map = [
      '--map',
      'Rufname=firstName',
      '--map',
      'Nachname=lastName',
      '--map',
      'Durchwahl=directPhone',
    ];
    const first = [columns, 'Udo,Kern,udo@kept.example,+4930123456'];
    const said = [...map, '--empty-cells', 'clear', '--mapping', 'Clearing'];
    expect(await importing('agents', first, said)).toMatchObject({ exit: 0, created: 1 });
    const again = [columns, 'Udo,Kern,udo@kept.example,'];
    const kept = ['--mapping', 'Clearing', '--accept-warning', 'clears'];
    expect(await importing('agents', again, kept)).toMatchObject({ exit: 0, updated: 1 });
  });

  it.each([
    [['--map', 'Vorname'], '--map takes <header>=<column>, not "Vorname"'],
    [
      ['--map', 'Vorname=fristName'],
      '"Vorname" is mapped to fristName, which is not a known column\nClosest to "Vorname": firstName, ',
    ],
    [['--map', 'Vorname=version'], '"Vorname" is mapped to version, which is set by the service'],
    [
      ['--map', 'Name=firstName', '--map', 'Vorname=lastName', '--map', 'Nachname=bio'],
      'the file has no column "Name"',
    ],
    [
      ['--map', 'Vorname=lastName', '--map', 'Nachname=lastName'],
      'the columns "Vorname" and "Nachname" set the same field (lastName)',
    ],
  ])('is rejected with exit code 2 for %j', async (options, message) => {
    const { exit, stderr } = await importing('agents', lines, options);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
