// Generated from the schemas of packages/api by `npm run generate`. If a merge conflicts here, take either side and generate.
import type { RecordTable, RepeatableMigrations } from './repeatable-migration.ts';

/** The schema version of the JSON of each table's records. */
export const recordVersions: Record<RecordTable, number> = { office: 3, agent: 3, team: 1 };

/** The statements that build the JSON of each table's records. */
export const records: RepeatableMigrations = {
  office: {
    version: 3,
    statements: [
      `drop type if exists office_json_3, office_json_3_address, office_json_3_mailing_address, office_json_3_source`,
      `create type office_json_3_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type office_json_3_mailing_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type office_json_3_source as ("name" text, "key" text)`,
      `create type office_json_3 as (
  "id" uuid,
  "status" text,
  "statusReason" text,
  "statusChangedAt" text,
  "deactivatedAt" text,
  "createdAt" text,
  "updatedAt" text,
  "version" int,
  "name" text,
  "legalName" text,
  "branchType" text,
  "type" text,
  "mainOfficeId" uuid,
  "brokerAgentId" uuid,
  "managerAgentId" uuid,
  "franchise" text,
  "mlsId" text,
  "nationalAssociationId" text,
  "licenses" jsonb,
  "nextLicenseExpiresOn" text,
  "phone" text,
  "phoneExt" text,
  "fax" text,
  "email" text,
  "website" text,
  "address" office_json_3_address,
  "mailingAddress" office_json_3_mailing_address,
  "timeZone" text,
  "bio" text,
  "source" office_json_3_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function office_record_3(shown office) returns json
language plpgsql stable parallel safe as $$
begin
  return to_json(row(
    shown."id",
    shown."status",
    shown."status_reason",
    to_char(shown."status_changed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."deactivated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    shown."version",
    shown."name",
    shown."legal_name",
    shown."branch_type",
    shown."type",
    shown."main_office_id",
    shown."broker_agent_id",
    shown."manager_agent_id",
    shown."franchise",
    shown."mls_id",
    shown."national_association_id",
    shown."licenses",
    next_license_expiry(shown.licenses),
    shown."phone",
    shown."phone_ext",
    shown."fax",
    shown."email",
    shown."website",
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::office_json_3_address end,
    case when num_nonnulls(shown."mailing_address_line1", shown."mailing_address_line2", shown."mailing_address_city", shown."mailing_address_county", shown."mailing_address_region", shown."mailing_address_postal_code", shown."mailing_address_country") > 0 then row(shown."mailing_address_line1", shown."mailing_address_line2", shown."mailing_address_city", shown."mailing_address_county", shown."mailing_address_region", shown."mailing_address_postal_code", shown."mailing_address_country")::office_json_3_mailing_address end,
    shown."time_zone",
    shown."bio",
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::office_json_3_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::office_json_3);
end $$`,
      `create or replace function office_keep() returns trigger language plpgsql as $$
declare
  searched text;
  unaccented text;
begin
  if old.record_shape is distinct from 3
    or (new.search_text, new.name, new.legal_name, new.mls_id, new.email, new.address_city)
    is distinct from (old.search_text, old.name, old.legal_name, old.mls_id, old.email, old.address_city) then
    searched := concat(' ', new.name, ' ', new.legal_name, ' ', new.mls_id, ' ', new.email, ' ', new.address_city, ' ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := upper(searched collate "C");
    else
      searched := upper(normalize(searched, nfkc) collate "und-x-icu");
      unaccented := replace(replace(replace(translate(normalize(regexp_replace(normalize(searched, nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH');
      new.search_text := case when unaccented = searched then searched else searched || unaccented end;
    end if;
  end if;
  new.record := office_record_3(new);
  new.record_shape := 3;
  return new;
end $$`,
    ],
  },
  agent: {
    version: 3,
    statements: [
      `drop type if exists agent_json_3, agent_json_3_address, agent_json_3_source`,
      `create type agent_json_3_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type agent_json_3_source as ("name" text, "key" text)`,
      `create type agent_json_3 as (
  "id" uuid,
  "status" text,
  "statusReason" text,
  "statusChangedAt" text,
  "deactivatedAt" text,
  "createdAt" text,
  "updatedAt" text,
  "version" int,
  "firstName" text,
  "lastName" text,
  "middleName" text,
  "nickname" text,
  "namePrefix" text,
  "nameSuffix" text,
  "displayName" text,
  "title" text,
  "type" text,
  "officeId" uuid,
  "affiliations" jsonb,
  "transferredAt" text,
  "email" text,
  "phone" text,
  "phoneExt" text,
  "mobilePhone" text,
  "directPhone" text,
  "fax" text,
  "mlsId" text,
  "nationalAssociationId" text,
  "licenses" jsonb,
  "nextLicenseExpiresOn" text,
  "address" agent_json_3_address,
  "languages" text[],
  "designations" text[],
  "assistantToAgentId" uuid,
  "website" text,
  "photoUrl" text,
  "bio" text,
  "source" agent_json_3_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function agent_record_3(shown agent) returns json
language plpgsql stable parallel safe as $$
begin
  return to_json(row(
    shown."id",
    shown."status",
    shown."status_reason",
    to_char(shown."status_changed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."deactivated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    shown."version",
    shown."first_name",
    shown."last_name",
    shown."middle_name",
    shown."nickname",
    shown."name_prefix",
    shown."name_suffix",
    coalesce(shown.display_name, shown.first_name || ' ' || shown.last_name),
    shown."title",
    shown."type",
    shown."office_id",
    shown."affiliations",
    to_char(shown."transferred_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    shown."email",
    shown."phone",
    shown."phone_ext",
    shown."mobile_phone",
    shown."direct_phone",
    shown."fax",
    shown."mls_id",
    shown."national_association_id",
    shown."licenses",
    next_license_expiry(shown.licenses),
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::agent_json_3_address end,
    shown."languages",
    shown."designations",
    shown."assistant_to_agent_id",
    shown."website",
    shown."photo_url",
    shown."bio",
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::agent_json_3_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::agent_json_3);
end $$`,
      `create or replace function agent_keep() returns trigger language plpgsql as $$
declare
  searched text;
  unaccented text;
begin
  if old.record_shape is distinct from 3
    or (new.search_text, new.first_name, new.last_name, new.middle_name, new.nickname, new.display_name, new.email, new.mls_id, new.address_city)
    is distinct from (old.search_text, old.first_name, old.last_name, old.middle_name, old.nickname, old.display_name, old.email, old.mls_id, old.address_city) then
    searched := concat(' ', new.first_name, ' ', new.last_name, ' ', new.middle_name, ' ', new.nickname, ' ', new.display_name, ' ', new.email, ' ', new.mls_id, ' ', new.address_city, ' ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := upper(searched collate "C");
    else
      searched := upper(normalize(searched, nfkc) collate "und-x-icu");
      unaccented := replace(replace(replace(translate(normalize(regexp_replace(normalize(searched, nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH');
      new.search_text := case when unaccented = searched then searched else searched || unaccented end;
    end if;
  end if;
  new.record := agent_record_3(new);
  new.record_shape := 3;
  return new;
end $$`,
    ],
  },
  team: {
    version: 1,
    statements: [
      `drop type if exists team_json_1, team_json_1_address, team_json_1_source`,
      `create type team_json_1_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type team_json_1_source as ("name" text, "key" text)`,
      `create type team_json_1 as (
  "id" uuid,
  "status" text,
  "statusReason" text,
  "statusChangedAt" text,
  "deactivatedAt" text,
  "createdAt" text,
  "updatedAt" text,
  "version" int,
  "name" text,
  "description" text,
  "mlsId" text,
  "officeId" uuid,
  "members" jsonb,
  "phone" text,
  "phoneExt" text,
  "officePhone" text,
  "officePhoneExt" text,
  "mobilePhone" text,
  "directPhone" text,
  "tollFreePhone" text,
  "fax" text,
  "email" text,
  "website" text,
  "socialLinks" text[],
  "address" team_json_1_address,
  "source" team_json_1_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function team_record_1(shown team) returns json
language plpgsql stable parallel safe as $$
begin
  return to_json(row(
    shown."id",
    shown."status",
    shown."status_reason",
    to_char(shown."status_changed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."deactivated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    to_char(shown."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    shown."version",
    shown."name",
    shown."description",
    shown."mls_id",
    shown."office_id",
    shown."members",
    shown."phone",
    shown."phone_ext",
    shown."office_phone",
    shown."office_phone_ext",
    shown."mobile_phone",
    shown."direct_phone",
    shown."toll_free_phone",
    shown."fax",
    shown."email",
    shown."website",
    shown."social_links",
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::team_json_1_address end,
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::team_json_1_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::team_json_1);
end $$`,
      `create or replace function team_keep() returns trigger language plpgsql as $$
declare
  searched text;
  unaccented text;
begin
  if old.record_shape is distinct from 1
    or (new.search_text, new.name, new.mls_id, new.email, new.address_city)
    is distinct from (old.search_text, old.name, old.mls_id, old.email, old.address_city) then
    searched := concat(' ', new.name, ' ', new.mls_id, ' ', new.email, ' ', new.address_city, ' ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := upper(searched collate "C");
    else
      searched := upper(normalize(searched, nfkc) collate "und-x-icu");
      unaccented := replace(replace(replace(translate(normalize(regexp_replace(normalize(searched, nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH');
      new.search_text := case when unaccented = searched then searched else searched || unaccented end;
    end if;
  end if;
  new.record := team_record_1(new);
  new.record_shape := 1;
  return new;
end $$`,
    ],
  },
};
