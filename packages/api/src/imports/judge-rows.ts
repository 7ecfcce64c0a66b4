import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { CountrySources } from '../engine/write/telephone-countries.ts';
import type { ImportDefinition } from './definitions.ts';
import {
  type FoundOffice,
  findAbove,
  findBySurvivors,
  findExisting,
  findKnown,
  findOffices,
} from './find-records.ts';
import { affiliatedOffices, checkAffiliations } from './judge-affiliations.ts';
import { checkEmails } from './judge-emails.ts';
import { checkLimit } from './judge-limit.ts';
import { checkNames, checkRenames } from './judge-names.ts';
import { checkTelephones } from './judge-telephones.ts';
import { findByEmail } from './match-by-email.ts';
import { resolveItemNames, sortItems } from './resolve-items.ts';
import {
  addIssue,
  type ImportCandidate,
  type OfficeName,
  rejectRepeated,
  sourceText,
} from './row-as-read.ts';
import type { ImportMode } from './schemas.ts';

/**
 * Finds what the constraints would reject, for all records at once, so that each can be reported. The constraints
 * stay what decides: who comes in between meets them.
 */

type Trx = Transaction<Database>;

export interface Checking extends CountrySources {
  mode: ImportMode;
  isAtomic: boolean;
  /** The kinds of warnings that are accepted: with `renames`, a record that its email address alone led to may get another name. */
  acceptWarnings: readonly string[];
  /** The id of a record that will be created. */
  newId: (candidate: ImportCandidate) => string;
}

/** The definition of the resource and the office limit, for checks. */
type Defined = Pick<Checking, 'limit'> & { definition: ImportDefinition };

const notFound = { errorCode: 'reference_not_found', code: 'not_found' } as const;

/** The same office is looked for once. */
function nameText({ id, source, name }: OfficeName): string {
  return JSON.stringify([id, source?.name, source?.key, name]);
}

/**
 * Finds the offices that records name; one that is not in the table may be among the records themselves. Returns a function for those
 * that a name leads to.
 */
async function checkOffices(
  trx: Trx,
  candidates: ImportCandidate[],
  { definition, limit }: Defined,
): Promise<(name: OfficeName) => FoundOffice[]> {
  const naming = candidates.filter(({ office }) => office !== undefined);
  const names = [
    ...naming.map(({ office }) => office as OfficeName),
    ...candidates.flatMap((candidate) => affiliatedOffices(candidate, definition)),
  ];
  const byText = new Map(names.map((office) => [nameText(office), office]));
  const responses =
    byText.size === 0 ? [] : await findOffices(trx, [...byText.values()], { definition, limit });
  const found = new Map([...byText.keys()].map((text, place) => [text, responses[place] ?? []]));
  const officesOf = (name: OfficeName) => found.get(nameText(name)) ?? [];
  // The office can be one of the records themselves.
  const isAmongOffices = definition.isTree;
  // Of two records from one source the first counts, because the other is rejected.
  const bySource = new Map(
    candidates
      .toReversed()
      .flatMap((candidate) =>
        candidate.source && isAmongOffices ? [[sourceText(candidate.source), candidate]] : [],
      ),
  );
  const { officeField } = definition;
  for (const candidate of naming) {
    const office = candidate.office as OfficeName;
    const offices = officesOf(office);
    const among = office.source && bySource.get(sourceText(office.source));
    if (offices.length === 0 && among !== undefined) candidate.officeCandidate = among;
    else if (officeField !== undefined) checkOffice(candidate, { named: office, offices, officeField });
  }
  return officesOf;
}

function checkOffice(
  candidate: ImportCandidate,
  { named, offices, officeField }: { named: OfficeName; offices: FoundOffice[]; officeField: string },
): void {
  const [office, other] = offices;
  const { field } = named;
  if (office === undefined) {
    const detail = 'is not an existing office';
    addIssue(candidate, field, { ...notFound, detail, absent: { field, of: named } });
  } else if (other !== undefined) {
    addIssue(candidate, field, {
      errorCode: 'reference_not_found',
      code: 'ambiguous',
      detail: 'is the name of several offices',
    });
  } else {
    candidate.foundOffice = office;
    candidate.fields[officeField] = office.id;
  }
}

/** The ids that a field of a record has, each with its place in the field. */
function idsIn(
  { fields }: ImportCandidate,
  { field, items }: ImportDefinition['references'][number],
): { id: string; path: (string | number)[] }[] {
  const value = fields[field];
  if (items === undefined) return typeof value === 'string' ? [{ id: value, path: [] }] : [];
  return ((value ?? []) as Record<string, string>[]).flatMap((item, index) => {
    const id = item[items.field];
    return id === undefined ? [] : [{ id, path: [index, items.field] }];
  });
}

/** Finds the records that other fields name. */
async function checkReferences(
  trx: Trx,
  candidates: ImportCandidate[],
  { definition: { references }, limit }: Defined,
): Promise<void> {
  const named = candidates.flatMap((candidate) =>
    references.flatMap((reference) =>
      idsIn(candidate, reference).map((named) => ({ candidate, reference, ...named })),
    ),
  );
  for (const [, some] of Map.groupBy(named, ({ reference }) => reference.table)) {
    const [{ reference }] = some as [(typeof some)[number]];
    const existing = await findExisting(trx, reference, {
      ids: [...new Set(some.map(({ id }) => id))],
      limit,
    });
    for (const {
      candidate,
      reference: { field },
      id,
      path,
    } of some)
      if (!existing.has(id))
        addIssue(candidate, [field, ...path], {
          ...notFound,
          detail: 'is not an existing record',
          absent: { field, of: id },
        });
  }
}

/** Finds the existing records of those without a source. The address of a survivor stays as it is. */
async function matchByEmail(trx: Trx, candidates: ImportCandidate[], defined: Defined): Promise<void> {
  const isKeyless = ({ source, matchedId, fields, issues, facts }: ImportCandidate) =>
    source === undefined &&
    matchedId === undefined &&
    (typeof fields.email === 'string' || facts.addsItems === true) &&
    issues.length === 0;
  const keyless = candidates.filter(isKeyless);
  if (keyless.length === 0) return;
  for (const [candidate, match] of await findByEmail(trx, keyless, defined)) {
    candidate.matchedId = match.id;
    if (!match.isMerged) continue;
    candidate.survivorId = match.id;
    candidate.mergedName = match.mergedName;
    if (!match.isEmailMerged) continue;
    candidate.email = String(candidate.fields.email);
    delete candidate.fields.email;
  }
}

/** Finds the records that those with their sources were merged into. The source of the survivor stays as it is. */
async function matchMerged(trx: Trx, candidates: ImportCandidate[], defined: Defined): Promise<void> {
  const sourced = candidates.filter(({ source, issues }) => source !== undefined && issues.length === 0);
  if (sourced.length === 0) return;
  for (const [candidate, id] of await findBySurvivors(trx, sourced, defined)) {
    candidate.survivorId = id;
    delete candidate.fields.source;
  }
}

/** The existing records of a call, each with those that lead to it. */
const matched = (candidates: ImportCandidate[]) =>
  Map.groupBy(
    candidates.filter(({ match }) => match !== undefined),
    ({ match }) => match?.id,
  ).values();

/** Of two records of a call that lead to one because they were merged, that of the survivor counts. */
function supersedeMerged(
  candidates: ImportCandidate[],
  { nameFields }: Pick<ImportDefinition, 'nameFields'>,
): void {
  for (const some of matched(candidates)) {
    const first = some.find(({ survivorId }) => survivorId === undefined) ?? some[0];
    for (const candidate of some)
      if (first !== undefined && candidate !== first && candidate.survivorId !== undefined) {
        candidate.isSuperseded = true;
        rejectDifferent(candidate, { first, nameFields });
      }
  }
}

/** Rejects a record of a merged duplicate that says something else of the survivor than the record of that: it would be lost. */
function rejectDifferent(
  candidate: ImportCandidate,
  { first, nameFields }: { first: ImportCandidate; nameFields: readonly string[] },
): void {
  const ofIdentity = new Set(['source', 'email', ...nameFields]);
  const differs = Object.entries(candidate.fields).some(
    ([field, value]) =>
      !ofIdentity.has(field) &&
      field in first.fields &&
      JSON.stringify(value) !== JSON.stringify(first.fields[field]),
  );
  if (!differs) return;
  const detail = `was merged into the record of ${first.label}, and says something else of it`;
  addIssue(candidate, candidate.source === undefined ? 'email' : 'source', { code: 'repeated', detail });
}

/** Two records of a call that lead to one, by an email address and by a source or another address, contradict. */
function rejectSharedMatches(candidates: ImportCandidate[]): void {
  for (const [first, ...others] of matched(candidates)) {
    const isNamed = [first, ...others].some((candidate) =>
      candidate?.issues.some(({ code }) => code === 'repeated'),
    );
    const isByEmail = [first, ...others].some((candidate) => candidate?.matchedId !== undefined);
    if (first === undefined || isNamed || !isByEmail) continue;
    for (const candidate of others) {
      const detail = `refers to the same record as ${first.label}`;
      addIssue(candidate, candidate.isById ? 'id' : candidate.matchedId === undefined ? 'source' : 'email', {
        code: 'repeated',
        detail,
      });
    }
  }
}

/** Finds the existing records, and what else the table knows about them. */
async function checkKnown(
  trx: Trx,
  candidates: ImportCandidate[],
  { mode, newId, acceptWarnings, ...defined }: Checking & Defined,
): Promise<void> {
  const { resource, references } = defined.definition;
  const { table } = resource;
  const ofSameTable = references.filter((reference) => reference.table === table);
  if (mode === 'match') await matchByEmail(trx, candidates, defined);
  await matchMerged(trx, candidates, defined);
  const known = await findKnown(trx, candidates, defined);
  for (const [place, candidate] of candidates.entries()) {
    const { match = null, isSourceTaken } = known[place] ?? {};
    if (isSourceTaken || (match !== null && mode === 'create')) {
      const detail = `is already in use by another ${table}`;
      addIssue(candidate, 'source', { errorCode: 'source_taken', code: 'taken', detail });
    }
    if (match !== null && mode !== 'create') candidate.match = match;
    if (match === null && candidate.isById) {
      const detail = 'is not the ID of an existing record. For IDs of a different system, set the source.';
      addIssue(candidate, 'id', { errorCode: 'not_found', code: 'not_found', detail });
    }
    candidate.id = candidate.match?.id ?? newId(candidate);
  }
  supersedeMerged(candidates, defined.definition);
  checkEmails(candidates, known, table);
  for (const [place, candidate] of candidates.entries()) {
    if (candidate.match !== undefined && known[place]?.isMetadataFull)
      addIssue(candidate, 'metadata', {
        code: 'too_many',
        detail: 'must hold at most 50 pairs, including existing pairs',
      });
    for (const { field } of ofSameTable)
      if (candidate.fields[field] === candidate.id)
        addIssue(candidate, field, { code: 'self', detail: `is the ${table} itself` });
  }
  checkNames(candidates, defined.definition);
  const emails = new Map(candidates.map((candidate, place) => [candidate, known[place]?.foldedEmail]));
  rejectRepeated(candidates, 'email', (candidate) => emails.get(candidate) ?? undefined);
  rejectSharedMatches(candidates.filter(({ isSuperseded }) => !isSuperseded));
  checkRenames(candidates, {
    definition: defined.definition,
    areAccepted: acceptWarnings.includes('renames'),
  });
}

/** Rejects records that move to an inactive office. One that is already in it can be changed. */
function checkArrivals(candidates: ImportCandidate[]): void {
  for (const candidate of candidates) {
    const { foundOffice, match, office } = candidate;
    if (foundOffice?.status !== 'inactive' || match?.officeId === foundOffice.id || !office) continue;
    const detail = 'is an inactive office';
    addIssue(candidate, office.field, { errorCode: 'office_inactive', code: 'inactive', detail });
  }
}

/** The offices that are above themselves, when each has the main office it has here. */
function cyclesIn(mainOf: Map<string, string | null>): Set<string> {
  const cycles = new Set<string>();
  const startOf = new Map<string, string>();
  for (const start of mainOf.keys()) {
    let id: string | null = start;
    for (; id !== null && !startOf.has(id); id = mainOf.get(id) ?? null) startOf.set(id, start);
    // An office that was met on this very way closes a circle, which is gone round once.
    if (id === null || startOf.get(id) !== start) continue;
    for (; id !== null && !cycles.has(id); id = mainOf.get(id) ?? null) cycles.add(id);
  }
  return cycles;
}

async function checkCycles(
  trx: Trx,
  candidates: ImportCandidate[],
  { isAtomic, definition }: Checking & Defined,
): Promise<void> {
  const { table, parent } = definition.resource;
  if (!parent?.isTree) return;
  const officeField = parent.field;
  for (const { fields, officeCandidate } of candidates)
    if (officeCandidate) fields[officeField] = officeCandidate.id;
  const moved = candidates.flatMap((candidate) => {
    const { id, fields, issues } = candidate;
    const above = fields[officeField] as string | null | undefined;
    if (id === undefined || above === undefined || (!isAtomic && issues.length > 0)) return [];
    return [{ candidate, id, mainOfficeId: above }];
  });
  const mains = moved.flatMap(({ mainOfficeId }) => mainOfficeId ?? []);
  if (mains.length === 0) return;
  const above = await findAbove(trx, [...new Set(mains)], { table, column: parent.column });
  for (const { id, mainOfficeId } of moved) above.set(id, mainOfficeId);
  const cycles = cyclesIn(above);
  for (const { candidate, id } of moved) {
    if (!cycles.has(id)) continue;
    const field = candidate.office?.field ?? officeField;
    const detail = 'is this office, or an office below it';
    addIssue(candidate, field, { errorCode: 'office_cycle', code: 'cycle', detail });
  }
}

/** Rejects every record whose office is rejected, or the record that gives up its address, and the records that depend on it. */
function rejectFollowers(candidates: ImportCandidate[], { officeField }: ImportDefinition): void {
  const isRejected = (candidate: ImportCandidate | undefined) =>
    candidate !== undefined && candidate.issues.length > 0;
  const followers = () =>
    candidates.filter(
      (candidate) =>
        !isRejected(candidate) && (isRejected(candidate.officeCandidate) || isRejected(candidate.emailGiver)),
    );
  for (let next = followers(); next.length > 0; next = followers()) {
    for (const candidate of next) {
      const { officeCandidate, emailGiver } = candidate;
      if (isRejected(emailGiver)) {
        const detail = `is in use by ${emailGiver?.label}, which is rejected`;
        addIssue(candidate, 'email', { errorCode: 'email_taken', code: 'taken', detail });
        continue;
      }
      const detail = `is ${officeCandidate?.label}, which is rejected`;
      const field = candidate.office?.field ?? officeField ?? [];
      addIssue(candidate, field, { errorCode: 'reference_not_found', code: 'rejected', detail });
    }
  }
}

/**
 * Finds the issues of all records; those that could be parsed have ids and offices afterwards. If the import is not atomic,
 * records that depend on rejected ones are rejected too; if it is, all are rejected anyway, and only the causes are reported.
 */
export async function checkCandidates(
  trx: Trx,
  candidates: ImportCandidate[],
  definition: ImportDefinition,
  checking: Checking,
): Promise<void> {
  const { limit } = checking;
  const officesOf = await checkOffices(trx, candidates, { definition, limit });
  await resolveItemNames(trx, candidates, { definition, limit });
  await checkReferences(trx, candidates, { definition, limit });
  sortItems(candidates, definition);
  await checkKnown(trx, candidates, { ...checking, definition });
  await checkTelephones(trx, candidates, { ...checking, definition });
  if (limit !== undefined) await checkLimit(trx, candidates, { definition, limit });
  await checkAffiliations(trx, candidates, { definition, officesOf });
  if (definition.isOfficeToBeActive) checkArrivals(candidates);
  await checkCycles(trx, candidates, { ...checking, definition });
  if (!checking.isAtomic) rejectFollowers(candidates, definition);
}
