import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { type Draft, fault, type OfficeName, refuseRepeated, sourceText } from './candidates.ts';
import {
  type FoundOffice,
  findAbove,
  findAgents,
  findByEmail,
  findKnown,
  findOffices,
} from './repository.ts';
import type { ImportedNoun } from './resources.ts';
import type { ImportMode } from './schemas.ts';

/**
 * What the constraints would refuse, found for all records at once, so that each can be named. The constraints
 * stay what decides: who comes in between meets them.
 */

type Trx = Transaction<Database>;

export interface Checking {
  mode: ImportMode;
  isAtomic: boolean;
  /** The id of a record that will be created. */
  newId: (draft: Draft) => string;
}

/** The same office is looked for once. */
function nameText({ id, source, name }: OfficeName): string {
  return JSON.stringify([id, source?.name, source?.key, name]);
}

/** Finds the offices that records name; one that is not in the table may be among the records themselves. */
async function checkOffices(trx: Trx, drafts: Draft[], noun: ImportedNoun): Promise<void> {
  const naming = drafts.filter(({ office }) => office !== undefined);
  const byText = new Map(naming.map(({ office }) => [nameText(office as OfficeName), office as OfficeName]));
  if (byText.size === 0) return;
  const answers = await findOffices(trx, [...byText.values()], noun);
  const found = new Map([...byText.keys()].map((text, place) => [text, answers[place] ?? []]));
  const isAmongOffices = noun.collection.table === 'office';
  // Of two from one source the first stands, because the other is refused.
  const bySource = new Map(
    drafts
      .toReversed()
      .flatMap((draft) => (draft.source && isAmongOffices ? [[sourceText(draft.source), draft]] : [])),
  );
  for (const draft of naming) {
    const office = draft.office as OfficeName;
    const offices = found.get(nameText(office)) ?? [];
    const among = office.source && bySource.get(sourceText(office.source));
    if (offices.length === 0 && among !== undefined) draft.officeDraft = among;
    else checkOffice(draft, offices, noun);
  }
}

function checkOffice(draft: Draft, offices: FoundOffice[], { officeField }: ImportedNoun): void {
  const [office, other] = offices;
  const { field = officeField } = draft.office ?? {};
  if (office === undefined) {
    fault(draft, field, {
      reason: 'reference_not_found',
      code: 'not_found',
      detail: 'names no existing office',
    });
  } else if (other !== undefined) {
    fault(draft, field, {
      reason: 'reference_not_found',
      code: 'ambiguous',
      detail: 'is the name of several offices',
    });
  } else {
    draft.foundOffice = office;
    draft.fields[officeField] = office.id;
  }
}

async function checkAgents(trx: Trx, drafts: Draft[], { agentFields }: ImportedNoun): Promise<void> {
  const named = drafts.flatMap((draft) =>
    agentFields.flatMap((field) =>
      typeof draft.fields[field] === 'string' ? [{ draft, field, id: draft.fields[field] }] : [],
    ),
  );
  if (named.length === 0) return;
  const existing = await findAgents(trx, [...new Set(named.map(({ id }) => id))]);
  for (const { draft, field, id } of named) {
    if (existing.has(id)) continue;
    fault(draft, field, {
      reason: 'reference_not_found',
      code: 'not_found',
      detail: 'names no existing record',
    });
  }
}

/** Finds the records that are there already of those without a source. */
async function matchByEmail(trx: Trx, drafts: Draft[], noun: ImportedNoun): Promise<void> {
  const isKeyless = ({ source, fields, faults }: Draft) =>
    source === undefined && typeof fields.email === 'string' && faults.length === 0;
  const keyless = drafts.filter(isKeyless);
  if (keyless.length === 0) return;
  for (const [draft, id] of await findByEmail(trx, keyless, noun)) draft.matchedId = id;
}

/** Two records of a call that lead to one, by an e-mail address and by a source or another address, contradict. */
function refuseSharedMatches(drafts: Draft[]): void {
  const byId = Map.groupBy(
    drafts.filter(({ match }) => match !== undefined),
    ({ match }) => match?.id,
  );
  for (const [, [first, ...others]] of byId) {
    const isNamed = [first, ...others].some((draft) => draft?.faults.some(({ code }) => code === 'repeated'));
    const isByEmail = [first, ...others].some((draft) => draft?.matchedId !== undefined);
    if (first === undefined || isNamed || !isByEmail) continue;
    for (const draft of others) {
      const detail = `leads to the same record as record ${first.index} of this call`;
      fault(draft, draft.matchedId === undefined ? 'source' : 'email', { code: 'repeated', detail });
    }
  }
}

/** Finds out which records are there already, and what else the table knows about them. */
async function checkKnown(
  trx: Trx,
  drafts: Draft[],
  { noun, mode, newId }: Checking & { noun: ImportedNoun },
): Promise<void> {
  const { table } = noun.collection;
  if (mode === 'match') await matchByEmail(trx, drafts, noun);
  const known = await findKnown(trx, drafts, noun);
  const emails = new Map<Draft, string>();
  for (const [place, draft] of drafts.entries()) {
    const { match = null, foldedEmail, emailHolder = null, isMetadataFull } = known[place] ?? {};
    if (match !== null && mode === 'create') {
      const detail = `is the source of another ${table}`;
      fault(draft, 'source', { reason: 'source_taken', code: 'taken', detail });
    }
    if (match !== null && mode !== 'create') draft.match = match;
    draft.id = draft.match?.id ?? newId(draft);
    if (typeof foldedEmail === 'string') emails.set(draft, foldedEmail);
    if (emailHolder !== null && emailHolder !== draft.id) {
      const detail = 'is the e-mail address of another agent';
      fault(draft, 'email', { reason: 'email_taken', code: 'taken', detail });
    }
    if (draft.match !== undefined && isMetadataFull)
      fault(draft, 'metadata', {
        code: 'too_many',
        detail: 'must hold at most 50 pairs, with those that are there',
      });
    if (draft.fields.assistantToAgentId === draft.id)
      fault(draft, 'assistantToAgentId', { code: 'self', detail: 'names the agent itself' });
  }
  refuseRepeated(drafts, 'email', (draft) => emails.get(draft));
  refuseSharedMatches(drafts);
}

/** An inactive office takes nobody new; who is in it already may be changed. */
function checkArrivals(drafts: Draft[]): void {
  for (const draft of drafts) {
    const { foundOffice, match, office } = draft;
    if (foundOffice?.status !== 'inactive' || match?.officeId === foundOffice.id || !office) continue;
    const detail = 'names an inactive office';
    fault(draft, office.field, { reason: 'office_inactive', code: 'inactive', detail });
  }
}

/** The offices that are above themselves, when each has the main office it has here. */
function cyclesIn(mainOf: Map<string, string | null>): Set<string> {
  const cycles = new Set<string>();
  const startOf = new Map<string, string>();
  for (const start of mainOf.keys()) {
    let id: string | null = start;
    for (; id !== null && !startOf.has(id); id = mainOf.get(id) ?? null) startOf.set(id, start);
    // What was met on this very way closes a circle, which is gone round once.
    if (id === null || startOf.get(id) !== start) continue;
    for (; id !== null && !cycles.has(id); id = mainOf.get(id) ?? null) cycles.add(id);
  }
  return cycles;
}

async function checkCycles(trx: Trx, drafts: Draft[], { isAtomic }: Checking): Promise<void> {
  for (const { fields, officeDraft } of drafts) if (officeDraft) fields.mainOfficeId = officeDraft.id;
  const moved = drafts.flatMap((draft) => {
    const { id, fields, faults } = draft;
    if (id === undefined || fields.mainOfficeId === undefined || (!isAtomic && faults.length > 0)) return [];
    return [{ draft, id, mainOfficeId: fields.mainOfficeId as string | null }];
  });
  const mains = moved.flatMap(({ mainOfficeId }) => mainOfficeId ?? []);
  if (mains.length === 0) return;
  const above = await findAbove(trx, [...new Set(mains)]);
  for (const { id, mainOfficeId } of moved) above.set(id, mainOfficeId);
  const cycles = cyclesIn(above);
  for (const { draft, id } of moved) {
    if (!cycles.has(id)) continue;
    const field = draft.office?.field ?? 'mainOfficeId';
    const detail = 'names an office below this one, or itself';
    fault(draft, field, { reason: 'office_cycle', code: 'cycle', detail });
  }
}

/** A record whose office is refused is refused with it, and so on. */
function refuseFollowers(drafts: Draft[]): void {
  const refused = (draft: Draft) => draft.faults.length > 0;
  const followers = () =>
    drafts.filter((draft) => draft.officeDraft && refused(draft.officeDraft) && !refused(draft));
  for (let next = followers(); next.length > 0; next = followers()) {
    for (const draft of next) {
      const detail = `names record ${draft.officeDraft?.index} of this call, which is refused`;
      const field = draft.office?.field ?? 'mainOfficeId';
      fault(draft, field, { reason: 'reference_not_found', code: 'refused', detail });
    }
  }
}

/**
 * Finds all that is wrong with all records; those that could be read have ids and offices afterwards. Not atomic,
 * records that depend on refused ones are refused too; atomic, all are refused anyhow, and only causes are named.
 */
export async function checkDrafts(
  trx: Trx,
  drafts: Draft[],
  noun: ImportedNoun,
  checking: Checking,
): Promise<void> {
  await checkOffices(trx, drafts, noun);
  await checkAgents(trx, drafts, noun);
  await checkKnown(trx, drafts, { ...checking, noun });
  if (noun.isOfficeToBeActive) checkArrivals(drafts);
  else await checkCycles(trx, drafts, checking);
  if (!checking.isAtomic) refuseFollowers(drafts);
}
