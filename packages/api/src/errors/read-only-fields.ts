/** Fields a caller can read but never write, and what to say to one who tries. */
export const readOnlyFields: ReadonlyMap<string, string> = new Map([
  ['id', 'is given by the server and never changes'],
  ['status', 'is changed by deactivate and reactivate only'],
  ['statusReason', 'is set by deactivate, from its reason'],
  ['statusChangedAt', 'is set by the server'],
  ['deactivatedAt', 'is set by the server'],
  ['createdAt', 'is set by the server'],
  ['updatedAt', 'is set by the server'],
  ['version', 'is set by the server'],
  ['nextLicenseExpiresOn', 'follows from licenses'],
  ['transferredAt', 'is set by the server when officeId changes'],
  ['scheduledChanges', 'is changed by deactivate, reactivate and transfer with a time, and by cancelling'],
]);
