import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { expectFault, expectProblem } from '../support/problems.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const UNKNOWN_ID = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** An office with an active and an inactive agent. */
async function staffedOffice() {
  const office = await directoryOf(server).office();
  const [active, inactive] = await Promise.all(
    [1, 2].map(() => directoryOf(server).agent({ officeId: office.id })),
  );
  if (active === undefined || inactive === undefined) throw new Error('two agents were made');
  const left = await directoryOf(server).put('agents', inactive.id, 'deactivate', { reason: 'left' });
  return { office, active, inactive: left };
}

describe('deactivating an office', () => {
  it('leaves its agents as they are', async () => {
    const { office, active, inactive } = await staffedOffice();
    await directoryOf(server).put('offices', office.id, 'deactivate');
    expect(await directoryOf(server).get('agents', active.id)).toEqual(active);
    expect(await directoryOf(server).get('agents', inactive.id)).toEqual(inactive);
  });

  it('with cascade false leaves its agents as they are', async () => {
    const { office, active } = await staffedOffice();
    await directoryOf(server).put('offices', office.id, 'deactivate', { cascade: false });
    expect(await directoryOf(server).get('agents', active.id)).toEqual(active);
  });

  it('with cascade deactivates its active agents with it, at the same time and for the same reason', async () => {
    const { office, active, inactive } = await staffedOffice();
    const elsewhere = await staffedOffice();
    const body = { cascade: true, reason: 'closed' };
    const { statusChangedAt } = await directoryOf(server).put('offices', office.id, 'deactivate', body);
    const after = await directoryOf(server).get('agents', active.id);
    expect(after).toMatchObject({ status: 'inactive', statusReason: 'closed', statusChangedAt, version: 2 });
    expect(await directoryOf(server).get('agents', inactive.id)).toEqual(inactive);
    expect(await directoryOf(server).get('agents', elsewhere.active.id)).toEqual(elsewhere.active);
  });

  it('with cascade reaches the agents of an office that is inactive already, and leaves the office', async () => {
    const { office, active } = await staffedOffice();
    const closed = await directoryOf(server).put('offices', office.id, 'deactivate');
    expect(await directoryOf(server).put('offices', office.id, 'deactivate', { cascade: true })).toEqual({
      ...closed,
      cascaded: { agents: 1, affiliations: 0 },
    });
    expect((await directoryOf(server).get('agents', active.id)).status).toBe('inactive');
  });

  it('with cascade does not reach its branch offices', async () => {
    const main = await directoryOf(server).office();
    const branch = await directoryOf(server).office({ mainOfficeId: main.id });
    await directoryOf(server).put('offices', main.id, 'deactivate', { cascade: true });
    expect(await directoryOf(server).get('offices', branch.id)).toEqual(branch);
  });

  it('takes a boolean for cascade and nothing like one', async () => {
    const { office } = await staffedOffice();
    for (const cascade of ['true', 'false', 1, null]) {
      const response = await server.request('PUT', `/offices/${office.id}/deactivate`, { cascade });
      await expectFault(response, 'validation_failed', { pointer: '#/cascade', code: 'invalid_type' });
    }
    expect((await directoryOf(server).get('offices', office.id)).status).toBe('active');
  });

  it('and reactivating it leaves its agents inactive', async () => {
    const { office, active } = await staffedOffice();
    await directoryOf(server).put('offices', office.id, 'deactivate', { cascade: true });
    await directoryOf(server).put('offices', office.id, 'reactivate');
    expect((await directoryOf(server).get('agents', active.id)).status).toBe('inactive');
    expect((await directoryOf(server).put('agents', active.id, 'reactivate')).status).toBe('active');
  });
});

describe('an inactive office takes no agents', () => {
  const fault = { pointer: '#/officeId', code: 'inactive' };

  it('not a new one, not one that moves, not one that is reactivated', async () => {
    const { office, inactive } = await staffedOffice();
    await directoryOf(server).put('offices', office.id, 'deactivate');
    const create = { firstName: 'Ana', lastName: 'Silva', officeId: office.id };
    await expectFault(await server.request('POST', '/agents', create), 'office_inactive', fault);
    const mover = await directoryOf(server).agent();
    const move = await server.request('PATCH', `/agents/${mover.id}`, { officeId: office.id });
    await expectFault(move, 'office_inactive', fault);
    await expectProblem(await server.request('PUT', `/agents/${inactive.id}/reactivate`), 'office_inactive');
    expect(await directoryOf(server).get('agents', mover.id)).toEqual(mover);
    expect(await directoryOf(server).get('agents', inactive.id)).toEqual(inactive);
  });

  it('not an inactive one that moves either', async () => {
    const office = await directoryOf(server).office();
    await directoryOf(server).put('offices', office.id, 'deactivate');
    const { id } = await directoryOf(server).agent();
    await directoryOf(server).put('agents', id, 'deactivate');
    await expectProblem(
      await server.request('PATCH', `/agents/${id}`, { officeId: office.id }),
      'office_inactive',
    );
  });

  it('but those it has can be edited, moved to another office and deactivated', async () => {
    const { office, active } = await staffedOffice();
    await directoryOf(server).put('offices', office.id, 'deactivate');
    const edited = await directoryOf(server).patch('agents', active.id, { bio: 'x', officeId: office.id });
    expect(edited).toMatchObject({ bio: 'x', version: 2, transferredAt: null });
    expect((await directoryOf(server).put('agents', active.id, 'deactivate')).status).toBe('inactive');
    expect((await directoryOf(server).patch('agents', active.id, { officeId: null })).officeId).toBeNull();
  });
});

describe('the main office', () => {
  it('cannot be the office itself, nor one below it over any number of steps', async () => {
    const top = await directoryOf(server).office();
    const middle = await directoryOf(server).office({ mainOfficeId: top.id });
    const low = await directoryOf(server).office({ mainOfficeId: middle.id });
    const fault = { pointer: '#/mainOfficeId', code: 'cycle' };
    for (const mainOfficeId of [top.id, middle.id, low.id]) {
      const response = await server.request('PATCH', `/offices/${top.id}`, { mainOfficeId });
      await expectFault(response, 'office_cycle', fault);
    }
    expect(await directoryOf(server).get('offices', top.id)).toEqual(top);
    expect((await directoryOf(server).patch('offices', low.id, { mainOfficeId: top.id })).mainOfficeId).toBe(
      top.id,
    );
  });

  it('must be there, and so must broker and manager', async () => {
    const { id } = await directoryOf(server).office();
    for (const field of ['mainOfficeId', 'brokerAgentId', 'managerAgentId']) {
      const fault = { pointer: `#/${field}`, code: 'not_found' };
      const create = await server.request('POST', '/offices', { name: 'x', [field]: UNKNOWN_ID });
      await expectFault(create, 'reference_not_found', fault);
      const update = await server.request('PATCH', `/offices/${id}`, { [field]: UNKNOWN_ID });
      await expectFault(update, 'reference_not_found', fault);
    }
  });

  it('cannot be one that was deleted', async () => {
    const { id } = await directoryOf(server).office();
    await directoryOf(server).remove('offices', id);
    await expectProblem(
      await server.request('POST', '/offices', { name: 'x', mainOfficeId: id }),
      'reference_not_found',
    );
  });

  it('may be given by its id in capitals', async () => {
    const main = await directoryOf(server).office();
    const branch = await directoryOf(server).office({ mainOfficeId: main.id.toUpperCase() });
    expect(branch.mainOfficeId).toBe(main.id);
  });
});

describe('an office that others refer to is not deleted', () => {
  it('and the error counts its agents and branch offices', async () => {
    const { office } = await staffedOffice();
    for (let count = 0; count < 3; count += 1) await directoryOf(server).office({ mainOfficeId: office.id });
    const problem = await expectProblem(
      await server.request('DELETE', `/offices/${office.id}`),
      'has_dependents',
    );
    expect(problem.dependents).toEqual({ agents: 2, branchOffices: 3 });
    expect(problem.detail).toContain('agents: 2');
    expect(await directoryOf(server).get('offices', office.id)).toEqual(office);
  });

  it('until those are deleted', async () => {
    const { office, active, inactive } = await staffedOffice();
    await directoryOf(server).patch('agents', active.id, { officeId: null });
    const { dependents } = await expectProblem(
      await server.request('DELETE', `/offices/${office.id}`),
      'has_dependents',
    );
    expect(dependents).toEqual({ agents: 1 });
    await directoryOf(server).remove('agents', inactive.id);
    expect((await server.request('DELETE', `/offices/${office.id}`)).status).toBe(204);
  });
});

describe('a time zone', () => {
  it.each(['Europe/Lisbon', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5'])(
    'may be %s',
    async (timeZone) => {
      expect((await directoryOf(server).office({ timeZone })).timeZone).toBe(timeZone);
    },
  );
});
