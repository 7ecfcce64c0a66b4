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
| events of offices, of agents, without \`--type\` | \`events:read\` and \`offices:read\`, \`agents:read\`, both |
| events of keys, of webhooks | \`events:read\` and \`keys:manage\`, \`webhooks:manage\` |
| creating, changing, rotating or replaying a webhook | \`webhooks:manage\` and the read scope of each type that it receives |

A key with \`keys:manage\` is bound by what it may do itself. It gives no scope that it does not have, and no later end than its
own; it gives neither scopes nor a new secret to a key that ends later. It changes, rotates and revokes no key that has a scope
it lacks. A secret that was rotated away works until the overlap ends, which is its end here, and rotates nothing.

Every change of a key or a webhook is an event, which holds no secret: \`key.created\`, \`key.updated\`, \`key.rotated\`,
\`key.revoked\`, and \`webhook.created\`, \`webhook.updated\`, \`webhook.rotated\`, \`webhook.replayed\`, \`webhook.deleted\`. They are
read by their types (\`roster events list --type key.created\`), are sent to no webhook, and are compacted as events of records
are. \`createdBy\` says which key made a key or a webhook.`,
};
