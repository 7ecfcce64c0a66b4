import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService(async ({ client, name }) => {
  const { offices } = client();
  name('miami', await offices.create.mutate({ name: 'Miami', phone: '+13055550123', fax: '+351210000001' }));
});
const stdoutOf = async (output: 'pipe' | 'terminal', ...argv: string[]) =>
  (await service.at(output, argv)).stdout;

describe('a phone number', () => {
  const list = ['offices', 'list', '--columns', 'name,phone,fax'];

  it('is read on a terminal as at home, or in the international form', async () => {
    expect(await stdoutOf('terminal', ...list)).toContain('Miami  (305) 555-0123  +351 21 000 0001\n');
    expect(await stdoutOf('terminal', 'offices', 'get', '<miami>')).toMatch(/^phone +\(305\) 555-0123$/m);
    await service.client().settings.update.mutate({ defaultCountry: null });
    expect(await stdoutOf('terminal', ...list)).toContain('Miami  +1 305 555 0123  +351 21 000 0001\n');
    await service.client().settings.update.mutate({ defaultCountry: 'US' });
  });

  it('is E.164 in a pipe and in JSON', async () => {
    expect(await stdoutOf('pipe', ...list)).toContain('Miami\t+13055550123\t+351210000001\n');
    expect(await service.printed('offices', 'get', '<miami>')).toMatchObject({ phone: '+13055550123' });
    expect(await stdoutOf('terminal', 'offices', 'list', '--json', 'phone')).toContain('"+13055550123"');
  });

  it('of an import is from the country that an option names, and the import says how it is read', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'roster-phones-')), 'offices.csv');
    writeFileSync(file, 'name,phone\nPorto,222 000 156\n');
    const importing = (...options: string[]) =>
      service.at('pipe', ['offices', 'import', file, '--dry-run', ...options]);
    const rejected = await importing();
    expect([rejected.exit, rejected.stderr]).toEqual([
      1,
      expect.stringContaining('is too short for United States: "222 000 156"'),
    ]);
    for (const country of ['Portugal', 'pt']) {
      const { exit, stderr } = await importing('--phone-country', country);
      expect(exit).toBe(0);
      expect(stderr).toContain('Phone numbers without a country code are read as: Portugal (1 row)\n');
    }
    const unknown = await importing('--phone-country', 'Atlantis');
    expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining('not "Atlantis"')]);
  });
});

describe('the settings', () => {
  it('are read and changed', async () => {
    expect(await service.printed('settings', 'get')).toMatchObject({ defaultCountry: 'US' });
    expect(await service.printed('settings', 'update', '--default-country', 'pt')).toMatchObject({
      defaultCountry: 'PT',
    });
    expect(await service.printed('settings', 'update', '--default-country', '')).toMatchObject({
      defaultCountry: null,
    });
    await service.client().settings.update.mutate({ defaultCountry: 'US' });
  });
});
