import { records } from '@roster/contract/records';
import type { Field } from '@roster/fields';
import { changeRecord, differences, type RecordChange, type ToolCall } from './changes.ts';
import { newFields, type Offered } from './schemas.ts';
import {
  invalidInput,
  nameOf,
  type Page,
  type ResourceName,
  type Rights,
  type Row,
  requireValid,
  resourceNames,
  ToolError,
} from './service.ts';

type Args = { resource: ResourceName; id: string; ifVersion?: number; dryRun: boolean } & Row;

export interface Tool {
  name: string;
  title: string;
  words: string;
  kind: 'reads' | 'adds' | 'changes';
  /** Scopes for a resource; the tool then takes a resource. */
  verbs?: readonly ('read' | 'write')[];
  scopes?: readonly string[];
  /** Defaults to the first available resource. */
  hasDefault?: boolean;
  isFor?: (resource: ResourceName, rights: Rights) => boolean;
  operation: string;
  offers: readonly (string | Offered)[];
  own?: readonly Field[];
  run: (args: Args, call: ToolCall) => Promise<Record<string, unknown>>;
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });
/** `agent, office or team` */
const one = either.format(resourceNames.map((name) => records[name].singular));
const hasLicenses = (name: ResourceName) =>
  records[name].filters.some((filter) => filter.name === 'licenseExpiresBefore');

const offer = (name: string, description: string, more: Partial<Field> = {}): Offered => ({
  name,
  description,
  ...more,
});
const field = (name: string, kind: Field['kind'], description: string, more: Partial<Field> = {}): Field => {
  return { name, kind, description, ...more };
};
const page = (usual: number, maximum: number) => [
  offer('limit', 'Items of a page', { default: usual, maximum }),
  offer('cursor', '`nextCursor` of the page before', { kind: 'text' }),
];
const reason = offer('reason', 'Why; kept with the change');
const ifVersion = offer('ifVersion', 'The version that the record must have');
const dryRun = (usual: boolean, description = 'False to write; else only what would change') =>
  field('dryRun', 'switch', description, { default: usual });
const atMost = (name: string, maximum: number, usual: number, description: string, minimum = 0) =>
  field(name, 'number', description, { minimum, maximum, default: usual });

/** Leaves out empty fields. */
const pick = (record: object, names: string): Row =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => {
      const value: unknown = Object(record)[name];
      return (value ?? null) === null ? [] : [[name, value]];
    }),
  );

/** Identifies a record: name, contacts, where it is or works, and what it belongs to, with the name if embedded. */
function summaryOf(name: ResourceName, record: Row): Row {
  const { parentField } = records[name];
  const parent = parentField?.replace(/Id$/, '');
  return {
    ...pick(record, 'id version status name displayName title branchType mlsId email phone mobilePhone'),
    ...pick(record, 'nextLicenseExpiresOn counts'),
    ...(parentField !== undefined && pick(record, parentField)),
    ...(parent !== undefined &&
      parent in record && { [`${parent}Name`]: Object(record[parent]).name ?? null }),
    ...pick(Object(record.place ?? record.address), 'city region country'),
  };
}

async function pageOf(
  procedure: string,
  input: Row,
  { service, signal }: ToolCall,
  shown: (item: Row) => Row,
) {
  const { items, ...rest } = await service.query<Page>(procedure, input, { signal });
  return { data: items.map(shown), ...pick(rest, 'nextCursor total isSimilar') };
}

function findTool(name: ResourceName): Tool {
  const { filters, expansions } = records[name];
  const parents = filters.filter(({ name: filter, refersTo }) => refersTo !== undefined && filter !== 'ids');
  // Embeds the parent record if the caller can read it.
  const parent = resourceNames.find((other) => expansions.includes(records[other].singular));
  const filtered =
    'q status email name title language mlsId city region postalCode country not licenseNumber licenseRegion sourceName sourceKey updatedSince includeTotal';
  return {
    name: `find_${name}`,
    title: `Find ${name}`,
    words:
      `Finds ${name} by words, status, email, place and more. A few fields of each: get_record has all. ` +
      'With `q` the best match comes first unless `sort` is given; `isSimilar` says that no record has its words.',
    kind: 'reads',
    scopes: [`${name}:read`],
    operation: `${name}.list`,
    offers: [
      ...[...filtered.split(' '), ...parents.map((filter) => filter.name)],
      ...['sort', ...page(10, 50)],
    ],
    run: ({ sort, ...query }, call) => {
      const order = sort ?? (query.q === undefined ? undefined : 'relevance');
      const canReadParent = parent !== undefined && call.rights.has(`${parent}:read`);
      const expand = [
        ...(canReadParent ? [records[parent].singular] : []),
        ...records[name].expansions.filter((expansion) => expansion === 'place'),
      ];
      const input = {
        ...query,
        ...(order !== undefined && { sort: order }),
        ...(expand.length > 0 && { expand }),
      };
      return pageOf(`${name}.list`, input, call, (record) => summaryOf(name, record));
    },
  };
}

/** In UTC. */
const inSixtyDays = () => new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);

const textsOf = (reasons: unknown) => (reasons as { text: string }[]).map(({ text }) => text);

const reading: readonly Tool[] = [
  ...resourceNames.map(findTool),
  {
    name: 'get_record',
    title: 'Read one record',
    words: `All fields of one ${one}, with its version, which changes take as \`ifVersion\`.`,
    kind: 'reads',
    verbs: ['read'],
    operation: '*.get',
    offers: ['id'],
    run: async ({ resource, id }, { service, signal }) => ({
      data: await service.query(`${resource}.get`, { id }, { signal }),
    }),
  },
  {
    name: 'office_roster',
    title: 'Agents of an office',
    words:
      'One `office` with its numbers of agents and branches, and its `agents` by last name: those who work there and, unless ' +
      '`affiliation` is `primary`, those who are affiliated with it.',
    kind: 'reads',
    scopes: ['agents:read', 'offices:read'],
    operation: 'agents.list',
    offers: [
      offer('officeId', 'The id of the office', { isRequired: true }),
      offer('status', 'Of the agents', { default: 'active' }),
      offer('affiliation', '`primary`: without those who are affiliated with it', { default: 'any' }),
      ...page(25, 100),
    ],
    run: async ({ officeId, ...query }, call) => {
      const input = { ...query, officeId, sort: 'lastName' };
      const [office, { data: agents, ...rest }] = await Promise.all([
        call.service.query('offices.get', { id: officeId, expand: 'counts' }, { signal: call.signal }),
        pageOf('agents.list', input, call, (agent) => summaryOf('agents', agent)),
      ]);
      return { data: { office: summaryOf('offices', Object(office)), agents }, ...rest };
    },
  },
  {
    name: 'history',
    title: 'History of a record',
    words: `The changes of one ${one}, the latest first: who, when, why, and each field before and after. Also of a deleted one.`,
    kind: 'reads',
    verbs: ['read'],
    scopes: ['events:read'],
    operation: '*.history',
    offers: ['id', ...page(5, 50)],
    run: ({ resource, ...query }, call) =>
      pageOf(`${resource}.history`, query, call, (change) => ({
        ...pick(change, 'version type occurredAt actorName actorId reason details changes'),
        actorType: Object(change.actor).type ?? null,
      })),
  },
  {
    name: 'licenses_expiring',
    title: 'Licences that expire',
    words: `The ${either.format(resourceNames.filter(hasLicenses))} with a licence that expires before a day, or has expired, the earliest first, with their licences.`,
    kind: 'reads',
    verbs: ['read'],
    hasDefault: true,
    isFor: hasLicenses,
    operation: '*.list',
    offers: [offer('status', 'Records of this status alone', { default: 'active' }), ...page(10, 50)],
    own: [
      field(
        'before',
        'date',
        'The day (YYYY-MM-DD). Defaults to 60 days from today. With `cursor`, pass the `before` of the result',
      ),
    ],
    run: async ({ resource, before = inSixtyDays(), ...query }, call) => {
      const input = { ...query, licenseExpiresBefore: before, sort: 'nextLicenseExpiresOn' };
      const shown = (record: Row) => ({ ...summaryOf(resource, record), licenses: record.licenses });
      return { before, ...(await pageOf(`${resource}.list`, input, call, shown)) };
    },
  },
  {
    name: 'find_duplicates',
    title: 'Records that may be the same',
    words: `Pairs of ${either.format(resourceNames)} that may be the same, the most probable first, each with a score from 0 to 1 and the reasons. Propose them; \`merge\` makes one of two.`,
    kind: 'reads',
    verbs: ['read'],
    operation: '*.duplicates',
    offers: ['minScore', 'recordId', 'officeId', ...page(10, 50)],
    run: ({ resource, ...query }, call) =>
      pageOf(`${resource}.duplicates`, query, call, ({ reasons, records: both, ...pair }) => ({
        ...pick(pair, 'id score'),
        reasons: textsOf(reasons),
        records: (both as Row[]).map((record) => summaryOf(resource, record)),
      })),
  },
  {
    name: 'stats',
    title: 'Numbers of the directory',
    words:
      'How many records of each kind there are: by status, by region, by office, who joined and left by month, and licences that ' +
      'expire. Each list begins with the largest, or the latest month.',
    kind: 'reads',
    // Numbers of later resources are left out without their scope.
    scopes: resourceNames.map((name) => `${name}:read`),
    operation: 'stats.get',
    offers: [offer('officesMax', 'Offices in the list by office', { default: 5 })],
    own: [
      atMost('regionsMax', 200, 5, 'Regions in each list'),
      atMost('monthsMax', 60, 6, 'Months in each list'),
    ],
    run: async ({ officesMax, regionsMax, monthsMax }, { service, signal }) => {
      const counts = await service.query<Row>('stats.get', { officesMax }, { signal });
      const own = resourceNames
        .filter((name) => name in counts)
        .map((name) => {
          const { byRegion, byMonth, ...others }: Row = Object(counts[name]);
          const [regions, months] = [byRegion as unknown[], byMonth as unknown[]];
          return [
            name,
            {
              ...others,
              byRegion: regions.slice(0, Number(regionsMax)),
              byMonth: months.slice(0, Number(monthsMax)),
            },
          ];
        });
      return { data: { ...counts, ...Object.fromEntries(own) } };
    },
  },
];

/** Throws `validation_failed` for no fields at all. */
function requireFields(values: unknown, name: string): Row {
  if (Object.keys(Object(values)).length === 0)
    throw invalidInput([{ path: [name], code: 'required', detail: 'must name a field' }]);
  return Object(values);
}

interface ImportPreview {
  results: { index: number; matchedBy?: string | null; error?: Row }[];
  [count: string]: unknown;
}

/** By a dry run of an import or, without that right, by the schema. */
async function tryCreate(resource: ResourceName, values: Row, { service, rights, signal }: ToolCall) {
  if (!rights.mayManage(resource)) {
    requireValid(newFields(resource), values, records[resource].nameParts);
    return 'fields';
  }
  const input = { records: [values], dryRun: true, isAtomic: false };
  const { results } = await service.mutate<ImportPreview>(`imports.${resource}`, input, { signal });
  const error = results[0]?.error;
  if (error !== undefined)
    throw new ToolError(JSON.parse(JSON.stringify(error).replaceAll('"#/records/0', '"#')));
  return 'everything';
}

/** Undefined if the caller can't read any, or the values can't be compared. */
async function lookAlikesOf(resource: ResourceName, values: Row, { service, rights, signal }: ToolCall) {
  if (!rights.has(`${resource}:read`)) return undefined;
  try {
    const found = await service.mutate(`${resource}.checkDuplicates`, values, { signal });
    return (found as { lookAlikes: Row[] }).lookAlikes.map(({ score, reasons, record }) => {
      const { id } = Object(record);
      return { id, name: nameOf(resource, Object(record)), score, reasons: textsOf(reasons) };
    });
  } catch (error) {
    // The creation reports invalid values.
    if (service.problemOf(error) === undefined) throw error;
    return undefined;
  }
}

const create: Tool = {
  name: 'create',
  title: 'Create a record',
  words: `Creates one ${one}. A second call creates a second one: \`lookAlikes\` lists possible duplicates, in a dry run too. Tell the user of them; \`merge\` makes one of two.`,
  kind: 'adds',
  verbs: ['write'],
  operation: '*.create',
  offers: [],
  own: [
    field('values', 'map', 'The fields', { isRequired: true }),
    dryRun(false, 'True to check first, and create nothing'),
  ],
  run: async ({ resource, values: given, dryRun: isTried }, call) => {
    const values = requireFields(given, 'values');
    const lookAlikes = await lookAlikesOf(resource, values, call);
    const checked = isTried ? await tryCreate(resource, values, call) : undefined;
    const { signal } = call;
    const made: Row = isTried
      ? { ...values, id: null, version: null }
      : Object(await call.service.mutate(`${resource}.create`, values, { signal }));
    const changes = Object.keys(values).map((name) => ({
      field: name,
      before: null,
      after: made[name] ?? null,
    }));
    const { id, version } = made;
    const data = { resource, id, ...(!isTried && { name: nameOf(resource, made) }), version, changes };
    return { isWritten: !isTried, ...(checked && { checked }), lookAlikes, data };
  },
};

function changing(tool: Omit<Tool, 'kind'>): Tool {
  const { words, verbs = tool.scopes ? undefined : (['read', 'write'] as const), offers, own = [] } = tool;
  return {
    ...tool,
    ...(verbs && { verbs }),
    words: `${words} Writes nothing unless \`dryRun\` is false: show the user the changes first.`,
    kind: 'changes',
    offers: [...offers, ...(tool.name === 'update' ? [] : [reason]), ifVersion],
    own: [...own, dryRun(true)],
  };
}

/** For operations the service can't try itself. */
function change(operation: RecordChange['operation'], patchOf: (args: Args) => Row): Tool['run'] {
  return (args, call) => {
    const { resource = 'agents', id, ifVersion: version, dryRun: isTried, changes: _, ...input } = args;
    return changeRecord(
      { resource, id, ifVersion: version, dryRun: isTried, operation, input, patch: patchOf(args) },
      call,
    );
  };
}

const statusTool = (operation: 'deactivate' | 'reactivate', verb: string, status: string) =>
  changing({
    name: operation,
    title: `${verb} a record`,
    words: `Makes the one ${one} that is named ${status}. No other record changes.`,
    operation: `*.${operation}`,
    offers: ['id'],
    run: change(operation, () => ({ status: status.replace(/ .*/, '') })),
  });

const writing: readonly Tool[] = [
  create,
  changing({
    name: 'update',
    title: 'Change fields of a record',
    words: `Changes fields of the one ${one} that is named.`,
    operation: '*.update',
    offers: ['id'],
    own: [
      field(
        'changes',
        'map',
        'JSON Merge Patch of the fields that `values` of `create` describes: absent ones stay, null clears, lists are replaced as a whole',
        { isRequired: true },
      ),
    ],
    run: change('update', ({ changes }) => requireFields(changes, 'changes')),
  }),
  changing({
    name: 'transfer',
    title: 'Transfer an agent',
    words: 'Moves the one agent that is named to another office.',
    scopes: ['agents:read', 'agents:write'],
    operation: 'agents.transfer',
    offers: ['id', offer('officeId', 'The office that the agent moves to, which must be active')],
    run: change('transfer', ({ officeId }) => ({ officeId })),
  }),
  statusTool('deactivate', 'Deactivate', 'inactive'),
  statusTool('reactivate', 'Reactivate', 'active again'),
  changing({
    name: 'revert',
    title: 'Go back to an earlier version',
    words:
      'Gives the one record that is named, or some of its fields, the values of an earlier version; `history` has the versions. ' +
      'The status does not change.',
    verbs: ['read', 'write'],
    scopes: ['events:read'],
    operation: '*.revert',
    offers: ['id', 'toVersion', 'fields'],
    run: async ({ resource, ...input }, { service, signal }) => {
      const record = await service.mutate<Row>(`${resource}.revert`, input, { signal });
      const { id, version, changes, notReverted } = record;
      const data = { resource, id, name: nameOf(resource, record), version, changes, notReverted };
      return { isWritten: !input.dryRun, ...(input.dryRun && { checked: 'everything' }), data };
    },
  }),
  changing({
    name: 'merge',
    title: 'Make one record of two',
    words:
      `Merges one ${one} into another one, which keeps its values, gets those that it lacks, and everything that referred to the ` +
      'duplicate. The id of the duplicate leads to it then; it can be undone for 30 days.',
    operation: '*.merge',
    offers: [offer('id', 'The id of the record that survives'), 'duplicateId', 'fields'],
    run: async ({ resource, ...input }, { service, signal }) => {
      const before = await service.query<Row>(`${resource}.get`, { id: input.id }, { signal });
      // With the version read, so that the result is only this merge.
      const sent = { ...input, ifVersion: input.ifVersion ?? before.version };
      const merged = await service.mutate<Row>(`${resource}.merge`, sent, { signal });
      const { mergeId: _, duplicateId: __, moved: ___, ...after } = merged;
      const { version } = input.dryRun ? before : merged;
      const named = { resource, id: input.id, name: nameOf(resource, after), version };
      const data = { ...named, changes: differences(before, after) };
      return { isWritten: !input.dryRun, ...(input.dryRun && { checked: 'everything' }), data };
    },
  }),
  {
    name: 'import_dry_run',
    title: 'Try an import',
    words:
      `Checks up to 500 ${either.format(resourceNames)} as an import would: how many would be \`created\`, \`updated\`, \`unchanged\`, and how many have \`errors\` (\`data\` lists them), ` +
      'and the indexes of those that `matched` an existing one. It never writes: imports are made by the command line or the console. ' +
      'A record can name its office by the source of that too (`officeSource`, `mainOfficeSource`).',
    kind: 'reads',
    verbs: ['write'],
    isFor: (name, rights) => rights.mayManage(name),
    operation: 'imports.*',
    offers: [
      offer('records', 'The records, as `values` of `create`', {
        kind: 'list',
        item: { kind: 'map' },
      }),
      offer(
        'mode',
        '`create`: all are new. `upsert`: matched by `source`. `match`: by `source`, else by email address',
      ),
      'acceptWarnings',
    ],
    own: [atMost('errorsMax', 500, 20, 'Records with errors in the result', 1)],
    run: async ({ resource, errorsMax, ...given }, { service, signal, progress }) => {
      const total = (given.records as Row[]).length;
      await progress(0, total, `Checking ${total} records`);
      const input = { ...given, dryRun: true, isAtomic: false };
      const { results, ...counts } = await service.mutate<ImportPreview>(`imports.${resource}`, input, {
        signal,
      });
      await progress(total, total, `Checked ${total} records`);
      const matched = Map.groupBy(results, ({ matchedBy }) => matchedBy ?? '');
      matched.delete('');
      const faulty = results.filter(({ error }) => error !== undefined).slice(0, Number(errorsMax));
      return {
        isWritten: false,
        ...pick(counts, 'created updated unchanged errors'),
        matched: Object.fromEntries(Array.from(matched, ([by, all]) => [by, all.map(({ index }) => index)])),
        data: faulty.map(({ index, error }) => ({ index, ...error })),
      };
    },
  },
];

export const tools: readonly Tool[] = [...reading, ...writing];
