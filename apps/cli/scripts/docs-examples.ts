/** What a noun is, in its page's first sentences. */
export const introductions: Readonly<Record<string, string>> = {
  offices:
    'An office is a place of business: its names and numbers, where it is, how to reach it, which office it is a branch ' +
    'of. It is active or inactive; an inactive one takes no agents.',
  agents:
    'An agent is a person who works in an office, or in none at the moment. No two agents have the same e-mail address.',
  events:
    'Every change of every record is one event in the log, in the order of the changes; whoever follows it misses none.',
  webhooks:
    'A webhook is a URL of yours that is told of events as they happen, signed as Standard Webhooks has it.',
  keys: `A key says who calls, and what they may do. Its secret is shown once, when it is made.

Every command needs one scope, which this guide names. Where two resources meet it needs another:

| what | scopes |
| --- | --- |
| \`offices deactivate --cascade\` | \`offices:write\` and \`agents:write\` |
| \`agents list --expand office\` | \`agents:read\` and \`offices:read\` |
| events of offices, of agents, of all types | \`events:read\` and \`offices:read\`, \`agents:read\`, both |
| creating, changing, rotating or replaying a webhook | \`webhooks:manage\` and the read scope of each type that it receives |

A key with \`keys:manage\` is bound by what it may do itself. It gives no scope that it does not have, and no later end than its
own; it gives neither scopes nor a new secret to a key that ends later. It changes, rotates and revokes no key that has a scope
it lacks. A secret that was rotated away works until the overlap ends, which is its end here, and rotates nothing.`,
};

/** One command line for each verb, as a user would type it. */
export const examples: Readonly<Record<string, string>> = {
  'offices list': 'roster offices list --country PT --q lisboa --sort name',
  'offices create':
    "roster offices create --name 'Atlântico Imóveis' --address-city Lisboa --address-country PT",
  'offices get': 'roster offices get 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11 --json name,status',
  'offices update':
    "roster offices update 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11 --phone '+351 210 000 042' --fax ''",
  'offices delete': 'roster offices delete 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11 --yes',
  'offices deactivate':
    "roster offices deactivate 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11 --cascade --reason 'Moved to Porto'",
  'offices reactivate': 'roster offices reactivate 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'offices restore': 'roster offices restore 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'offices history': 'roster offices history 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'offices import': 'roster offices import samples/offices.csv --errors errors.csv',
  'offices export': 'roster offices export offices.csv --status active',
  'agents list': 'roster agents list --q figueiredo --expand office',
  'agents create':
    'roster agents create --first-name Ana --last-name Figueiredo --language pt-PT --language en',
  'agents get': 'roster agents get 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  'agents update':
    'roster agents update 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a --office-id 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'agents delete': 'roster agents delete 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a --yes',
  'agents deactivate': "roster agents deactivate 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a --reason 'On leave'",
  'agents reactivate': 'roster agents reactivate 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  'agents restore': 'roster agents restore 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  'agents history': 'roster agents history 01980a3d-1b2c-7d4e-8f5a-6b7c8d9e0f1a',
  'agents import': 'roster agents import members.csv --source MLS --ignore-unknown --dry-run',
  'agents export': 'roster agents export agents.ndjson --office-id 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'events list': 'roster events list --subject 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
  'events tail': 'roster events tail --type agent.created --type agent.updated',
  'webhooks list': 'roster webhooks list',
  'webhooks listen': 'roster webhooks listen --forward-to http://localhost:8080/hook --type agent.created',
  'keys list': 'roster keys list',
  'keys create': 'roster keys create --name Website --scope offices:read --scope agents:read',
  'keys get': 'roster keys get 01980a3e-2c3d-7e5f-9a6b-7c8d9e0f1a2b',
  'keys revoke': 'roster keys revoke 01980a3e-2c3d-7e5f-9a6b-7c8d9e0f1a2b',
  'keys rotate': 'roster keys rotate 01980a3e-2c3d-7e5f-9a6b-7c8d9e0f1a2b',
};
