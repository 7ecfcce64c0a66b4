// Generated from the files of this folder by `npm run generate`.
import * as officesAndAgents from './0001-offices-and-agents.ts';
import * as keys from './0002-keys.ts';
import * as idempotency from './0003-idempotency.ts';
import * as events from './0004-events.ts';
import * as webhooks from './0005-webhooks.ts';
import * as officeNames from './0006-office-names.ts';
import * as domains from './0007-domains.ts';
import * as keptRecords from './0008-kept-records.ts';
import * as rates from './0009-rates.ts';
import * as primaryTerms from './0010-primary-terms.ts';
import * as recordsByFunction from './0011-records-by-function.ts';
import * as webhookHealth from './0012-webhook-health.ts';
import * as keyAndWebhookEvents from './0013-key-and-webhook-events.ts';
import * as rateLimitSync from './0014-rate-limit-sync.ts';
import * as eventDetails from './0015-event-details.ts';
import * as affiliations from './0016-affiliations.ts';
import * as scheduledChanges from './0017-scheduled-changes.ts';
import * as licenseExpiry from './0018-license-expiry.ts';
import * as jobs from './0019-jobs.ts';
import * as history from './0022-history.ts';
import * as directoryStats from './0023-directory-stats.ts';
import * as people from './0024-people.ts';
import * as keysForPeople from './0025-keys-for-people.ts';
import * as agentsOfOffices from './0026-agents-of-offices.ts';
import * as savedViews from './0027-saved-views.ts';
import * as runningServers from './0028-running-servers.ts';
import * as jobFailures from './0029-job-failures.ts';
import * as citiesAndLinks from './0030-cities-and-links.ts';
import * as telephones from './0031-telephones.ts';
import * as cascadeEvents from './0032-cascade-events.ts';
import * as personLinks from './0033-person-links.ts';
import * as duplicates from './0034-duplicates.ts';
import * as imports from './0035-imports.ts';
import * as passkeys from './0036-passkeys.ts';
import * as merges from './0037-merges.ts';
import * as teams from './0038-teams.ts';
import * as keysForTeams from './0039-keys-for-teams.ts';
import * as knownResources from './0042-known-resources.ts';
import * as importCells from './0043-import-cells.ts';
import * as lookAlikes from './0044-look-alikes.ts';
import * as importItems from './0045-import-items.ts';
import * as importRowsInPlace from './0046-import-rows-in-place.ts';
import * as comparedRows from './0047-compared-rows.ts';
import * as queuedJobs from './0048-queued-jobs.ts';
import * as uploads from './0105-uploads.ts';
import * as linksOfSessions from './0110-links-of-sessions.ts';
import * as linksOfSessionsIndexes from './0111-links-of-sessions-indexes.ts';
import * as rightsOverOffices from './0115-rights-over-offices.ts';
import * as mergedKeys from './0116-merged-keys.ts';
import * as mergedKeyIndexes from './0117-merged-key-indexes.ts';
import * as directorySettings from './0120-directory-settings.ts';
import * as partlyUndone from './0125-partly-undone.ts';
import * as clearedFields from './0126-cleared-fields.ts';
import * as licenseNumbers from './0130-license-numbers.ts';
import * as normalForms from './0131-normal-forms.ts';
import * as shownNames from './0135-shown-names.ts';
import * as orderOfNames from './0136-order-of-names.ts';
import * as keysWithoutStatus from './0175-keys-without-status.ts';
import * as noComparedRows from './0180-no-compared-rows.ts';
import * as firstRelease from './0190-first-release.ts';
import type { ReleasedMigration } from './released-migration.ts';

/** All migrations in the order of their names. Append only: a released migration is never edited. */
export const migrations: Record<string, ReleasedMigration> = {
  '0001-offices-and-agents': officesAndAgents,
  '0002-keys': keys,
  '0003-idempotency': idempotency,
  '0004-events': events,
  '0005-webhooks': webhooks,
  '0006-office-names': officeNames,
  '0007-domains': domains,
  '0008-kept-records': keptRecords,
  '0009-rates': rates,
  '0010-primary-terms': primaryTerms,
  '0011-records-by-function': recordsByFunction,
  '0012-webhook-health': webhookHealth,
  '0013-key-and-webhook-events': keyAndWebhookEvents,
  '0014-rate-limit-sync': rateLimitSync,
  '0015-event-details': eventDetails,
  '0016-affiliations': affiliations,
  '0017-scheduled-changes': scheduledChanges,
  '0018-license-expiry': licenseExpiry,
  '0019-jobs': jobs,
  '0022-history': history,
  '0023-directory-stats': directoryStats,
  '0024-people': people,
  '0025-keys-for-people': keysForPeople,
  '0026-agents-of-offices': agentsOfOffices,
  '0027-saved-views': savedViews,
  '0028-running-servers': runningServers,
  '0029-job-failures': jobFailures,
  '0030-cities-and-links': citiesAndLinks,
  '0031-telephones': telephones,
  '0032-cascade-events': cascadeEvents,
  '0033-person-links': personLinks,
  '0034-duplicates': duplicates,
  '0035-imports': imports,
  '0036-passkeys': passkeys,
  '0037-merges': merges,
  '0038-teams': teams,
  '0039-keys-for-teams': keysForTeams,
  '0042-known-resources': knownResources,
  '0043-import-cells': importCells,
  '0044-look-alikes': lookAlikes,
  '0045-import-items': importItems,
  '0046-import-rows-in-place': importRowsInPlace,
  '0047-compared-rows': comparedRows,
  '0048-queued-jobs': queuedJobs,
  '0105-uploads': uploads,
  '0110-links-of-sessions': linksOfSessions,
  '0111-links-of-sessions-indexes': linksOfSessionsIndexes,
  '0115-rights-over-offices': rightsOverOffices,
  '0116-merged-keys': mergedKeys,
  '0117-merged-key-indexes': mergedKeyIndexes,
  '0120-directory-settings': directorySettings,
  '0125-partly-undone': partlyUndone,
  '0126-cleared-fields': clearedFields,
  '0130-license-numbers': licenseNumbers,
  '0131-normal-forms': normalForms,
  '0135-shown-names': shownNames,
  '0136-order-of-names': orderOfNames,
  '0175-keys-without-status': keysWithoutStatus,
  '0180-no-compared-rows': noComparedRows,
  '0190-first-release': firstRelease,
};
