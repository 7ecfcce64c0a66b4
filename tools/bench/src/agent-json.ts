/** The record of a row named `agent`, as an expression of SQL: for the pipelined peer and for PostGraphile's functions. */

const time = (column: string) =>
  `to_char(agent.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const addressParts = {
  line1: 'agent.address_line1',
  line2: 'agent.address_line2',
  city: 'agent.address_city',
  county: 'agent.address_county',
  region: 'agent.address_region',
  postalCode: 'agent.address_postal_code',
  country: 'agent.address_country',
};

function object(fields: Record<string, string>): string {
  return `json_build_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)})`;
}

export const agentJson = object({
  id: 'agent.id',
  status: 'agent.status',
  statusReason: 'agent.status_reason',
  statusChangedAt: time('status_changed_at'),
  deactivatedAt: time('deactivated_at'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
  version: 'agent.version',
  firstName: 'agent.first_name',
  lastName: 'agent.last_name',
  middleName: 'agent.middle_name',
  nickname: 'agent.nickname',
  namePrefix: 'agent.name_prefix',
  nameSuffix: 'agent.name_suffix',
  displayName: `coalesce(agent.display_name, agent.first_name || ' ' || agent.last_name)`,
  title: 'agent.title',
  type: 'agent.type',
  officeId: 'agent.office_id',
  transferredAt: time('transferred_at'),
  email: 'agent.email',
  phone: 'agent.phone',
  phoneExt: 'agent.phone_ext',
  mobilePhone: 'agent.mobile_phone',
  directPhone: 'agent.direct_phone',
  fax: 'agent.fax',
  mlsId: 'agent.mls_id',
  nationalAssociationId: 'agent.national_association_id',
  licenses: 'agent.licenses',
  address: `case when num_nonnulls(${Object.values(addressParts)}) > 0 then ${object(addressParts)} end`,
  languages: 'agent.languages',
  designations: 'agent.designations',
  assistantToAgentId: 'agent.assistant_to_agent_id',
  website: 'agent.website',
  photoUrl: 'agent.photo_url',
  bio: 'agent.bio',
  source: `case when agent.source_name is not null then ${object({ name: 'agent.source_name', key: 'agent.source_key' })} end`,
  metadata: 'agent.metadata',
  scheduledChanges: 'agent.scheduled_changes',
  affiliations: 'agent.affiliations',
  nextLicenseExpiresOn: 'next_license_expiry(agent.licenses)',
});
