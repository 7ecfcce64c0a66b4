import { type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import { records } from '@roster/contract/records';
import { operationContract } from '../contract/operations.ts';
import { importableOf, type Resource, resources } from '../contract/resources.ts';
import { commandLine, type Environment } from '../environment.ts';
import { examplesText } from './examples.ts';

/** The help of a command that people type every day, written by hand. */
interface HelpTexts {
  /** The summary and the description; by default those of the contract. */
  summary?: string;
  description?: string;
  /**
   * The options that `--help` shows, in this order, with their texts; empty keeps the text that the option has. A command may
   * lack some of them.
   */
  options: Readonly<Record<string, string>>;
}

/** Options whose text stands where the command adds them. */
const own = (...flags: string[]) => Object.fromEntries(flags.map((flag) => [flag, '']));

const output = own('json', 'jq');

const filters = {
  q: 'Search by name, email, MLS ID, city or phone number',
  status: 'Show only active or only inactive ones. Defaults to both',
  city: 'In this city; repeatable',
  country: 'In this country, such as PT; repeatable',
  'office-id': 'In the office with this ID; repeatable',
  email: 'With this email; repeatable',
  'mls-id': 'With this MLS ID; repeatable',
  'source-name': 'Imported from this system; repeatable',
  'updated-since': 'Changed since a time, such as 2030-01-31T09:00:00Z or -P7D',
};

const fields = {
  name: 'Name',
  'first-name': 'First name',
  'last-name': 'Last name',
  'office-id': 'ID of the office',
  'main-office-id': 'ID of the main office, if this is a branch',
  member: 'A member, as agentId=<id>,role=<role>; repeatable',
  email: 'Email',
  phone: 'Phone number. Without a country code, it belongs to the country of the address',
  'mobile-phone': 'Mobile phone number',
  website: 'Website, starting with http:// or https://',
  language: 'A spoken language, such as pt-PT; repeatable',
  license: 'A licence, as number=<number>,region=<region>; repeatable',
  'mls-id': 'Number in the MLS',
  'address-line1': 'Street and number',
  'address-city': 'City or town',
  'address-postal-code': 'Postal code',
  'address-country': 'Country code, such as PT',
};

const one = ({ singular }: Resource) => `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`;

const needs = ({ name }: Resource, right: 'read' | 'write') => `Needs the scope \`${name}:${right}\`.`;

/** The texts of a verb that resources of the directory share. */
const verbs: Readonly<Record<string, (resource: Resource) => HelpTexts>> = {
  list: (resource) => ({
    summary: `List ${resource.name}`,
    description:
      `Lists ${resource.name}, 50 at a time. Filters combine: a record must match all of them. Prints a table on a ` +
      `terminal and tab-separated values in a pipe. ${needs(resource, 'read')}`,
    options: {
      ...filters,
      sort: 'Order of the list; a leading - reverses it',
      limit: 'Maximum number of records, up to 200. Defaults to 50',
      ...own('all', 'columns', 'json', 'jq', 'jsonl'),
    },
  }),
  get: (resource) => ({
    summary: `Show ${one(resource)}`,
    description: `Shows all fields of ${one(resource)}. ${needs(resource, 'read')}`,
    options: { expand: 'Show related data as well', ...output },
  }),
  create: (resource) => ({
    summary: `Create ${one(resource)}`,
    description:
      `Creates an active ${resource.singular}. Warns you first if a similar one already exists; on a terminal, you can ` +
      `choose to use that one instead. ${needs(resource, 'write')}`,
    options: { ...fields, ...own('data', 'no-check'), ...output },
  }),
  update: (resource) => ({
    summary: `Change fields of ${one(resource)}`,
    description: `Changes the fields you set and leaves the others as they are. ${needs(resource, 'write')}`,
    options: {
      ...fields,
      ...own('data'),
      'if-version': "Fail if the record doesn't have this version",
      ...output,
    },
  }),
  deactivate: (resource) => ({
    summary: `Deactivate ${one(resource)}`,
    description:
      `Marks ${one(resource)} as inactive. The record keeps its data and history, and you can reactivate it. Has no effect ` +
      `if it's already inactive. ${needs(resource, 'write')}`,
    options: {
      reason: 'Why; shown in the history',
      cascade: 'Also deactivate everyone whose primary office this is',
      'effective-on': 'Deactivate on this day, such as 2030-01-31. Defaults to now',
      'effective-at': 'Deactivate at this time, such as 2030-01-31T09:00:00Z. Defaults to now',
      ...output,
    },
  }),
  import: () => ({
    options: own(
      ...['dry-run', 'map', 'ignore-unknown', 'source', 'errors', 'skip', 'accept-warning', 'empty-cells'],
      ...['format', 'json', 'jq'],
    ),
  }),
  export: () => ({
    options: { ...filters, ...own('format', 'rows') },
  }),
  history: (resource) => ({
    summary: `Show the changes of ${one(resource)}`,
    description:
      'Shows every version that the event log still has, oldest first: who changed what, when and why. Works for deleted ' +
      `records too. Needs the scopes \`events:read\` and \`${resource.name}:read\`.`,
    options: {
      ...own('newest-first'),
      limit: 'Maximum number of versions, up to 200. Defaults to all',
      ...own('json', 'jq', 'jsonl'),
    },
  }),
};

const undone = {
  ...own('dry-run'),
  reason: 'Why; shown in the history',
  ...own('wait', 'no-wait', 'json', 'jq'),
};

const others: Readonly<Record<string, HelpTexts>> = {
  'imports undo': {
    options: undone,
    summary: 'Undo an import',
    description:
      'Restores what an import changed and deletes what it created. Records that have changed since the import stay as they are, and are listed as ' +
      'errors. Safe to retry. Needs the scope that the import needed.',
  },
  'jobs undo': {
    options: undone,
    summary: 'Undo a job',
    description:
      'Restores the records that a job changed. Records that have changed since the job stay as they are, and are listed as errors. Safe to ' +
      'retry. Needs the scope that the job needed.',
  },
  'keys create': {
    summary: 'Create an API key',
    description:
      "Creates an API key and prints its secret, which is shown only once. A new key can't do more, or last longer, than the " +
      'key you use. Needs the scope `keys:manage`.',
    options: {
      name: 'What the key is for',
      scope: 'What the key may do; repeatable',
      'office-id': 'Restrict the key to this office and its branches; repeatable',
      'expires-at': 'When the key expires, such as 2030-01-31T00:00:00Z. Defaults to never',
      ...own('data', 'json', 'jq'),
    },
  },
  login: {
    summary: 'Sign in to a service, and remember it',
    description:
      'Signs you in and stores the session in a profile, so that later commands need no --url and --key. Opens your browser ' +
      'if the service has an identity provider; otherwise asks for an API key. The profile "default" is used unless you name one.',
    options: own('with-key', 'browser', 'device'),
  },
};

export const everydayVerbs: readonly string[] = Object.keys(verbs);

export function isShortHelp(argv: readonly string[]): boolean {
  return (argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')) && !argv.includes('--all');
}

function helpOf(path: string): HelpTexts | undefined {
  const [noun, verb = ''] = path.split(' ');
  const resource = resources.find(({ name }) => name === noun && name in records);
  return others[path] ?? (resource && Object.hasOwn(verbs, verb) ? verbs[verb]?.(resource) : undefined);
}

/** When each option is required, by its flag. */
function requirementsIn(path: string): ReadonlyMap<string, string> {
  const [noun = '', verb] = path.split(' ');
  const { fields } = verb === undefined ? { fields: [] } : operationContract(noun, verb);
  const { nameParts = [] } = verb === 'create' ? (importableOf({ name: noun }) ?? {}) : {};
  const parts = fields.filter(({ path: [name = ''] }) => nameParts.includes(name));
  return new Map([
    ...fields.filter(({ isRequired }) => isRequired).map(({ flag }) => [flag, 'required'] as const),
    ...parts.map(({ flag }) => {
      const others = parts.filter((other) => other.flag !== flag).map((other) => `--${other.flag}`);
      return [flag, `required unless ${others.join(' or ')} is set`] as const;
    }),
  ]);
}

/** Gives a command its texts written by hand; short help hides the options that have none. */
function describe(command: CommandUnknownOpts, path: string, isShort: boolean): void {
  const help = helpOf(path);
  if (help === undefined) return;
  command.summary(help.summary ?? command.summary());
  command.description(help.description ?? command.description());
  const requirements = requirementsIn(path);
  const flags = Object.keys(help.options);
  const placeOf = ({ long }: Pick<Option, 'long'>) => {
    const place = flags.indexOf(long?.slice(2) ?? '');
    return place < 0 ? flags.length : place;
  };
  for (const option of command.options) {
    const flag = option.long?.slice(2) ?? '';
    const text = help.options[flag];
    const requirement = requirements.get(flag);
    if (text) option.description = requirement === undefined ? text : `${text}; ${requirement}`;
    else if (text === undefined && isShort) option.hidden = true;
  }
  command.configureHelp({
    visibleOptions: (shown) =>
      new Help().visibleOptions(shown).toSorted((one, other) => placeOf(one) - placeOf(other)),
  });
}

export function addHelp(
  commands: readonly CommandUnknownOpts[],
  env: Environment,
  { isShort, above = [] }: { isShort: boolean; above?: readonly string[] },
): void {
  for (const command of commands) {
    const words = [...above, command.name()];
    const path = words.join(' ');
    describe(command, path, isShort);
    const examples = examplesText(path, env);
    if (examples !== '') command.addHelpText('after', examples);
    if (isShort && command.commands.length === 0)
      command.addHelpText('after', `\nAll options: ${commandLine(`${path} --help --all`, env)}`);
    addHelp(command.commands, env, { isShort, above: words });
  }
}
