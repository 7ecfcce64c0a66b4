import { describe, expect, it } from 'vitest';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { countAgents, countTransfers, fillOffice } from '../../test/support/transfers.ts';
import { useDatabase } from '../../test/support/use-database.ts';
import { assignPositions } from '../log/sequencer.ts';

const { database, caller } = useDatabase();

const newOffice = () => caller().offices.create({ name: 'Casa' });

describe('agents.transfer', () => {
  it('sets the office and the time, with one event that names both offices', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    const { id } = await caller().agents.create({ firstName: 'Ana', lastName: 'Reis', officeId: from.id });
    const agent = await caller().agents.transfer({ id, officeId: to.id, reason: 'Moved' });
    expect(agent).toMatchObject({ officeId: to.id, version: 2, transferredAt: agent.updatedAt });
    await assignPositions(database().db);
    const { items } = await caller().events.list({ subject: id });
    expect(items.at(-1)).toMatchObject({
      type: 'agent.transferred',
      reason: 'Moved',
      previous: { officeId: from.id },
      details: { fromOfficeId: from.id, toOfficeId: to.id },
    });
  });

  it('returns an agent of that office unchanged, also if the office is inactive', async () => {
    const { id: officeId } = await newOffice();
    const agent = await caller().agents.create({ firstName: 'Ana', lastName: 'Reis', officeId });
    expect(await caller().agents.transfer({ id: agent.id, officeId })).toEqual(agent);
    await caller().offices.deactivate({ id: officeId });
    expect(await caller().agents.transfer({ id: agent.id, officeId })).toEqual(agent);
  });
});

describe('offices.transferAgents', () => {
  it('moves up to 1,000 agents, active and inactive, in one transaction, each with one event', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await fillOffice(database().db, from.id, 1_000);
    expect(await caller().offices.transferAgents({ id: from.id, toOfficeId: to.id })).toEqual({
      ...from,
      moved: 1_000,
    });
    expect([await countAgents(database().db, from.id), await countAgents(database().db, to.id)]).toEqual([
      0, 1_000,
    ]);
    expect(await countTransfers(database().db, to.id)).toEqual({
      events: 1_000,
      agents: 1_000,
      transactions: 1,
    });
  });

  it('of an office to itself moves none', async () => {
    const office = await newOffice();
    await fillOffice(database().db, office.id, 3);
    const result = await caller().offices.transferAgents({ id: office.id, toOfficeId: office.id });
    expect(result).toEqual({ ...office, moved: 0 });
  });

  it('rejects an unknown and an inactive office, also if there is no agent', async () => {
    const [from, to] = [await newOffice(), await newOffice()];
    await caller().offices.deactivate({ id: to.id });
    const inactive = await rejected(caller().offices.transferAgents({ id: from.id, toOfficeId: to.id }));
    expect(inactive.errorCode).toBe('office_inactive');
    expect(fieldErrorsOf(inactive)).toEqual(['#/toOfficeId inactive']);
    await caller().offices.delete({ id: to.id });
    const unknown = await rejected(caller().offices.transferAgents({ id: from.id, toOfficeId: to.id }));
    expect(unknown.errorCode).toBe('reference_not_found');
    expect(fieldErrorsOf(unknown)).toEqual(['#/toOfficeId not_found']);
  });
});
