import { type ResourceName, records } from '@roster/contract/records';
import { neededFields } from '@roster/fields';
import { camelCase } from '../contract/fields.ts';
import { operationContract } from '../contract/operations.ts';
import { type Resource, resources } from '../contract/resources.ts';
import { commandLine, type Environment } from '../environment.ts';

export const exampleIds = {
  office: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  otherOffice: '01980a3c-6a2f-7d4b-8c2e-3a7b1c8d5f22',
  agent: '01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  webhook: '01980a3f-3d4e-7f60-8b7c-8d9e0f1a2b3c',
  job: '01980a40-7b1c-7a2d-8e3f-4a5b6c7d8e9f',
  import: '01980a45-93a4-7fc6-a1d2-4d5e6f708192',
  key: '01980a3e-2c3d-7e5f-9a6b-7c8d9e0f1a2b',
  scheduledChange: '01980a40-4e5f-7a71-8c8d-9e0f1a2b3c4d',
  person: '01980a41-5f60-7b82-9d9e-0f1a2b3c4d5e',
  session: '01980a42-6071-7c93-8eaf-1a2b3c4d5e6f',
  view: '01980a43-7182-7da4-8fb0-2b3c4d5e6f70',
  invitation: '01980a47-b5c6-71e8-83f4-6f708192a3b4',
  passkey: '01980a48-c6d7-72f9-94a5-708192a3b4c5',
} as const;

const { office, agent, person, passkey, view } = exampleIds;

/** The id in the examples of a resource that has none of its own. */
export const otherId = '01980a44-8293-7eb5-90c1-3c4d5e6f7081';
export const otherDuplicateId = '01980a45-93a4-7fc6-81d2-4d5e6f708192';

const quoted = (text: string) => (/^[\w@.:/-]+$/.test(text) ? text : `'${text}'`);

function requiredOptions(resource: string, operation: string): string[] {
  const { fields } = operationContract(resource, operation);
  const required = fields.filter(({ isRequired }) => isRequired);
  return required.map(({ flag, example = '' }) => `--${flag} ${quoted(example)}`);
}

function impliedWords({ name, singular }: Resource, operation: string): string {
  const { hasId, pathFields = [] } = operationContract(name, operation);
  const own: Readonly<Record<string, string>> = exampleIds;
  const id = name in records ? otherId : (own[camelCase(singular.replace(' ', '-'))] ?? otherId);
  const others = pathFields.map(({ example = '' }) => example);
  const isAsked = operation === 'delete' ? ['--yes'] : [];
  return [...(hasId ? [id] : []), ...others, ...requiredOptions(name, operation), ...isAsked].join(' ');
}

const isRecords = (name: string): name is ResourceName => name in records;

/** The words that the contract can't supply. */
function recordWords(name: ResourceName): Record<string, string> {
  const needed = new Set(neededFields(records[name]).map((field) => field.name));
  const { fields } = operationContract(name, 'create');
  const options = fields
    .filter(({ path }) => needed.has(path.join('.')))
    .map(({ flag, example = '' }) => `--${flag} ${quoted(example)}`);
  return {
    list: '--status active',
    create: options.join(' '),
    update: `${otherId} ${options[0]}`,
    revert: `${otherId} --to 1`,
    duplicates: '--min-score 0.9',
    'check-duplicates': options.join(' '),
    'dismiss-duplicate': `${otherId} --reason Twins`,
    merge: `${otherId} --duplicate-id ${otherDuplicateId} --dry-run`,
    unmerge: `${otherDuplicateId} --reason 'Two people'`,
    bulk: '--status inactive --delete --dry-run',
    import: `${name}.csv --dry-run`,
    export: `${name}.csv`,
  };
}

/** The examples of the commands of a resource, as far as it has none of its own. */
function impliedExamples(resource: Resource): Record<string, string[]> {
  const { name, operations } = resource;
  const own: Readonly<Record<string, string>> = isRecords(name) ? recordWords(name) : {};
  return Object.fromEntries(
    [...new Set([...operations, ...Object.keys(own)])].map((operation) => {
      const words = own[operation] ?? impliedWords(resource, operation);
      return [`${name} ${operation}`, [`roster ${name} ${operation} ${words}`.trim()]];
    }),
  );
}

export const examples: Readonly<Record<string, readonly string[]>> = {
  ...Object.assign({}, ...resources.map(impliedExamples)),
  'offices list': [
    'roster offices list --country PT --q lisboa --sort name',
    "roster offices list --all --jq '.items[].email'",
    'roster offices list --columns name,address.city,phone',
  ],
  'offices create': [
    "roster offices create --name 'Atlântico Imóveis' --address-city Lisboa --address-country PT",
    `roster offices create --name 'Atlântico Porto' --main-office-id ${office} --phone '+351 220 000 010'`,
    'roster offices create --data \'{"name":"Atlântico Faro","address":{"city":"Faro","country":"PT"}}\'',
  ],
  'offices get': [
    `roster offices get ${office}`,
    `roster offices get ${office} --json name,status`,
    `roster offices get ${office} --expand counts --jq .counts`,
  ],
  'offices update': [
    `roster offices update ${office} --phone '+351 210 000 042' --fax ''`,
    `roster offices update ${office} --address-city Porto --address-postal-code 4000-001`,
    `roster offices update ${office} --website https://atlantico.example --if-version 1`,
  ],
  'offices deactivate': [
    `roster offices deactivate ${office} --reason 'Closed'`,
    `roster offices deactivate ${office} --cascade --reason 'Moved to Porto'`,
    `roster offices deactivate ${office} --effective-on 2030-01-01`,
  ],
  'offices reactivate': [
    `roster offices reactivate ${office}`,
    `roster offices reactivate ${office} --cascade --reason 'Deactivated by mistake'`,
  ],
  'offices transfer-agents': [
    `roster offices transfer-agents ${office} --to-office-id ${exampleIds.otherOffice}`,
  ],
  'offices bulk': ["roster offices bulk --region 11 --set 'franchise=Casa Clara' --dry-run"],
  'offices history': [
    `roster offices history ${office}`,
    `roster offices history ${office} --newest-first --limit 5`,
    `roster offices history ${office} --json version,changes`,
  ],
  'offices import': [
    'roster offices import offices.csv --dry-run',
    'roster offices import samples/offices.csv --errors errors.csv',
    'roster offices import offices.csv --source CRM --skip errors',
  ],
  'offices export': [
    'roster offices export offices.csv',
    'roster offices export active.csv --status active --country PT',
    'roster offices export --format ndjson',
  ],
  'agents list': [
    'roster agents list --q figueiredo',
    'roster agents list --status active --sort lastName --columns lastName,email,phone',
    `roster agents list --office-id ${office} --all --jsonl displayName,email`,
  ],
  'agents create': [
    'roster agents create --first-name Ana --last-name Figueiredo --language pt-PT --language en',
    `roster agents create --first-name Rui --last-name Reis --office-id ${office} --email rui@atlantico.example`,
    'roster agents create --first-name Eva --last-name Lopes --license number=12345,region=11',
  ],
  'agents update': [
    `roster agents update ${agent} --office-id ${office}`,
    `roster agents update ${agent} --mobile-phone '+351 910 000 042' --nickname ''`,
    `roster agents update ${agent} --data '{"languages":["pt-PT","en"]}' --if-version 1`,
  ],
  'agents deactivate': [
    `roster agents deactivate ${agent}`,
    `roster agents deactivate ${agent} --reason 'On leave'`,
    `roster agents deactivate ${agent} --effective-on 2030-01-01`,
  ],
  'agents transfer': [
    `roster agents transfer ${agent} --office-id ${office} --reason 'Moved to Porto'`,
    `roster agents transfer ${agent} --office-id ${office} --effective-on 2030-01-01`,
  ],
  'agents revert': [
    `roster agents revert ${agent} --to 1 --dry-run`,
    `roster agents revert ${agent} --to 1 --field phone --field address.city`,
  ],
  'agents bulk': [
    `roster agents bulk --office-id ${office} --set website=https://atlantico.example --dry-run`,
    `roster agents bulk --office-id ${office} --status active --deactivate --reason 'Closed' --expect 24 --yes`,
  ],
  'agents get': [
    `roster agents get ${agent}`,
    `roster agents get ${agent} --json displayName,email,phone`,
    `roster agents get ${agent} --jq .licenses`,
  ],
  'agents history': [
    `roster agents history ${agent}`,
    `roster agents history ${agent} --newest-first --limit 5`,
    `roster agents history ${agent} --json version,changes`,
  ],
  'agents import': [
    'roster agents import agents.csv --dry-run',
    'roster agents import members.csv --source MLS --ignore-unknown --dry-run',
    'roster agents import staff.csv --map "First=firstName" --map "Desk phone=directPhone"',
  ],
  'agents export': [
    'roster agents export agents.csv',
    'roster agents export active.csv --status active --sort lastName',
    `roster agents export agents.ndjson --office-id ${office}`,
  ],
  'deleted-records list': ['roster deleted-records list --resource agents'],
  'scheduled-changes list': [
    'roster scheduled-changes list --status pending',
    `roster scheduled-changes list --subject ${agent}`,
  ],
  'imports list': ['roster imports list --status running'],
  'imports rows': [`roster imports rows ${exampleIds.import} --outcome updated --json`],
  'imports errors': [`roster imports errors ${exampleIds.import} --all`],
  'imports error-groups': [`roster imports error-groups ${exampleIds.import} --json`],
  'imports corrections': [`roster imports corrections ${exampleIds.import} --json`],
  'imports correct': [
    `roster imports correct ${exampleIds.import} --correction 'column=Office,value=Baixo,text=Baixa'`,
  ],
  'imports resume': [`roster imports resume ${exampleIds.import}`],
  'imports write': [`roster imports write ${exampleIds.import} --skip errors`],
  'imports undo': [
    `roster imports undo ${exampleIds.import}`,
    `roster imports undo ${exampleIds.import} --dry-run`,
    `roster imports undo ${exampleIds.import} --reason 'The wrong file'`,
  ],
  'jobs list': ['roster jobs list --status running'],
  'jobs errors': [`roster jobs errors ${exampleIds.job} --all`],
  'jobs undo': [
    `roster jobs undo ${exampleIds.job}`,
    `roster jobs undo ${exampleIds.job} --dry-run`,
    `roster jobs undo ${exampleIds.job} --reason 'The wrong office'`,
  ],
  'events list': [
    `roster events list --subject ${office}`,
    'roster events list --after 0 --all --jsonl',
    `roster events list --type access.denied --actor-id ${person}`,
  ],
  'events tail': ['roster events tail --type agent.created --type agent.updated'],
  'webhooks create': ['roster webhooks create --target-url https://example.com/hook --type agent.created'],
  'webhooks update': [`roster webhooks update ${exampleIds.webhook} --status disabled`],
  'webhooks rotate': [`roster webhooks rotate ${exampleIds.webhook} --overlap-seconds 3600`],
  'webhooks deliveries': [`roster webhooks deliveries ${exampleIds.webhook} --status failed`],
  'webhooks replay': [`roster webhooks replay ${exampleIds.webhook} --after 0`],
  'webhooks listen': ['roster webhooks listen --forward-to http://localhost:8080/hook --type agent.created'],
  'keys create': [
    'roster keys create --name Website --scope offices:read --scope agents:read',
    `roster keys create --name 'Lisbon office' --scope agents:write --office-id ${office}`,
    'roster keys create --name Audit --scope events:read --expires-at 2030-01-01T00:00:00Z',
  ],
  'keys update': [`roster keys update ${exampleIds.key} --name 'Public website'`],
  'people list': ['roster people list --status active'],
  'people invite': [
    "roster people invite --name 'Ana Martins' --email ana@atlantico.example --grant role=manager",
  ],
  'people update': [`roster people update ${person} --grant role=editor`],
  'invitations list': ['roster invitations list --is-open'],
  'invitations create': [
    `roster invitations create --person-id ${person}`,
    `roster invitations create --person-id ${person} --days 2 --jq .link`,
  ],
  'passkeys list': ['roster passkeys list', `roster passkeys list --person-id ${person}`],
  'passkeys update': [`roster passkeys update ${passkey} --name 'Work laptop'`],
  'sessions list': ['roster sessions list', `roster sessions list --person-id ${person}`],
  'settings update': ['roster settings update --default-country PT'],
  'views list': ['roster views list --resource agents'],
  'views create': [
    "roster views create --name 'Active in Lisbon' --resource agents --query q=lisboa --query status=active",
    'roster views create --name Contacts --resource offices --column name=name,width=240 --column name=email --is-shared',
  ],
  'views update': [`roster views update ${view} --query status=inactive --query q=`],
  'stats get': ['roster stats get --offices-max 5', "roster stats get --jq '.agents.licenses'"],
  login: [
    'roster login --url https://roster.example',
    'roster login --url https://roster.example --profile work',
    'roster login --with-key < key.txt',
  ],
  whoami: ['roster whoami', 'roster whoami --jq .name'],
  logout: ['roster logout --profile work'],
  status: ['roster status', 'roster status --json keyState'],
  api: [
    'roster api offices.list \'{"status":["active"]}\'',
    `roster api offices.get '{"id":"${office}"}' --jq .name`,
  ],
  open: ['roster open'],
  mcp: ['roster mcp'],
  completion: ['roster completion bash'],
};

/** The examples of a command for its help, as they are typed here; empty if there are none. */
export function examplesText(command: string, env: Environment): string {
  const lines = (examples[command] ?? []).map(
    (line) => `  ${commandLine(line.replace(/^roster /, ''), env)}`,
  );
  return lines.length === 0 ? '' : `\nExamples:\n${lines.join('\n')}`;
}
