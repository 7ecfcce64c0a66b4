/** What a resource is, in the first sentences of its page; of one of the directory without a line here, its description. */
export const introductions: Readonly<Record<string, string>> = {
  offices:
    'An office is a place of business: its names and numbers, where it is, how to reach it, which office it is a branch ' +
    'of. It is active or inactive; an inactive one takes no agents.',
  agents:
    'An agent is a person who works in an office, or currently in none. No two agents have the same e-mail address.',
  'deleted-records':
    'A deleted office or agent can be restored for a time, by `roster offices restore` or `roster agents restore` ' +
    '([States](../../concepts/states.md#deleting-and-restoring)).',
  'scheduled-changes':
    'A scheduled change is a deactivation, a reactivation or a transfer that happens at a time. It is made by the operation of ' +
    'that name with `--effective-at` or `--effective-on` ([States](../../concepts/states.md#scheduled-changes)).',
  imports:
    'A file that [an import](../../concepts/imports.md) has received, its rows and errors. `write` writes what was checked, or lets an ' +
    'import go on that was cancelled; `undo` puts back what was before.',
  jobs:
    'A job changes all records that a filter selected when it was accepted, in the background. `roster agents bulk` and ' +
    '`roster offices bulk` start one ([Jobs](../../concepts/jobs.md)).',
  events:
    'Every change of every record is one event in the log, in the order of the changes. A reader who follows it misses none ' +
    '([Events](../../concepts/events.md)).',
  webhooks:
    'A webhook is a URL of yours that receives events as they happen, signed by the rules of Standard Webhooks ' +
    '([Webhooks](../../concepts/webhooks.md)).',
  keys:
    'A key identifies a caller and holds its scopes. Its secret is shown once, when the key is created. ' +
    '[Keys](../../concepts/keys.md) says what each scope allows.',
  people:
    'A person signs in and has roles, each for everything or for some offices with their branches ' +
    '([People and rights](../../concepts/people-and-rights.md)).',
  invitations:
    'An invitation is a link with which a person signs in for the first time, and sets up a passkey ' +
    '([Let somebody in](../../how-to/sign-in.md#let-somebody-in)).',
  passkeys:
    'A passkey is what a person signs in with where no identity provider is set up. A browser sets it up ' +
    '([People and rights](../../concepts/people-and-rights.md#passkeys)).',
  sessions:
    'A session is what a person, or someone with a key, has from signing in until it ends ' +
    '([People and rights](../../concepts/people-and-rights.md#sessions)).',
  views:
    'A view holds the parameters of a list and its columns under a name, for its owner or for everyone who may read the list ' +
    '([Saved views](../../concepts/views.md)).',
  settings:
    'The settings of the whole directory: the country of phone numbers without a country code ' +
    '([Phone numbers](../../concepts/phone-numbers.md)). An admin changes them.',
  stats:
    'How many offices and agents there are, by status, office, region, month and the expiry of licences, all counted in one ' +
    'snapshot.',
};
