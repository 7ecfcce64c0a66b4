export const readOnlyFields: ReadonlyMap<string, string> = new Map([
  ['id', 'is set by the server and never changes'],
  ['status', 'can only be changed by deactivate and reactivate'],
  ['statusReason', 'is set by deactivate, from its reason'],
  ['statusChangedAt', 'is set by the server'],
  ['deactivatedAt', 'is set by the server'],
  ['createdAt', 'is set by the server'],
  ['updatedAt', 'is set by the server'],
  ['version', 'is set by the server'],
  ['nextLicenseExpiresOn', 'is derived from the licences'],
  ['transferredAt', 'is set by the server when officeId changes'],
  [
    'scheduledChanges',
    'can only be changed by deactivate, reactivate or transfer with a time, or by cancelling a change',
  ],
]);
