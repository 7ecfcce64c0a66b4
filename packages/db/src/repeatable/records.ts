// Generated from the schemas of packages/api by `npm run generate`. If a merge conflicts here, take either side and generate.
import type { RecordTable, RepeatableMigrations } from './repeatable-migration.ts';

/** The schema version of the JSON of each table's records. */
export const recordVersions: Record<RecordTable, number> = { office: 6, agent: 8, team: 3 };

/** The statements that build the JSON of each table's records. */
export const records: RepeatableMigrations = {
  office: {
    version: 6,
    statements: [
      `drop type if exists office_json_6, office_json_6_address, office_json_6_mailing_address, office_json_6_source`,
      `create type office_json_6_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type office_json_6_mailing_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type office_json_6_source as ("name" text, "key" text)`,
      `create type office_json_6 as (
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
  "address" office_json_6_address,
  "mailingAddress" office_json_6_mailing_address,
  "timeZone" text,
  "bio" text,
  "source" office_json_6_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function office_record_6(shown office) returns json
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
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::office_json_6_address end,
    case when num_nonnulls(shown."mailing_address_line1", shown."mailing_address_line2", shown."mailing_address_city", shown."mailing_address_county", shown."mailing_address_region", shown."mailing_address_postal_code", shown."mailing_address_country") > 0 then row(shown."mailing_address_line1", shown."mailing_address_line2", shown."mailing_address_city", shown."mailing_address_county", shown."mailing_address_region", shown."mailing_address_postal_code", shown."mailing_address_country")::office_json_6_mailing_address end,
    shown."time_zone",
    shown."bio",
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::office_json_6_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::office_json_6);
end $$`,
      `create or replace function office_keep() returns trigger language plpgsql as $$
declare
  searched text;
begin
  if old.record_shape is distinct from 6
    or (new.search_text, new.name, new.legal_name, new.mls_id, new.email, new.address_city, new.licenses)
    is distinct from (old.search_text, old.name, old.legal_name, old.mls_id, old.email, old.address_city, old.licenses) then
    searched := concat(' | ', new."name", ' | ', new.legal_name, ' | ', new.mls_id, ' | ', new.email, ' | ', new.address_city, ' | ', license_texts(new.licenses), ' | ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := regexp_replace(regexp_replace(regexp_replace(upper(searched collate "C"), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    else
      new.search_text := regexp_replace(regexp_replace(regexp_replace(replace(replace(replace(translate(normalize(regexp_replace(normalize(upper(normalize(replace(searched, '´', ''''), nfkc) collate "und-x-icu"), nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH'), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    end if;
  end if;
  new.record := office_record_6(new);
  new.record_shape := 6;
  return new;
end $$`,
    ],
  },
  agent: {
    version: 8,
    statements: [
      `drop type if exists agent_json_8, agent_json_8_address, agent_json_8_source`,
      `create type agent_json_8_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type agent_json_8_source as ("name" text, "key" text)`,
      `create type agent_json_8 as (
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
  "address" agent_json_8_address,
  "languages" text[],
  "designations" text[],
  "assistantToAgentId" uuid,
  "website" text,
  "photoUrl" text,
  "bio" text,
  "source" agent_json_8_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function agent_record_8(shown agent) returns json
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
    coalesce(shown.display_name, concat_ws(' ', shown.first_name, shown.last_name)),
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
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::agent_json_8_address end,
    shown."languages",
    shown."designations",
    shown."assistant_to_agent_id",
    shown."website",
    shown."photo_url",
    shown."bio",
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::agent_json_8_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::agent_json_8);
end $$`,
      `create or replace function agent_keep() returns trigger language plpgsql as $$
declare
  searched text;
begin
  if old.record_shape is distinct from 8
    or (new.search_text, new.first_name, new.last_name, new.middle_name, new.nickname, new.display_name, new.email, new.mls_id, new.address_city, new.first_name, new.last_name, new.licenses, new.office_name, new.place_office_id, new.place_city)
    is distinct from (old.search_text, old.first_name, old.last_name, old.middle_name, old.nickname, old.display_name, old.email, old.mls_id, old.address_city, old.first_name, old.last_name, old.licenses, old.office_name, old.place_office_id, old.place_city) then
    searched := concat(' | ', coalesce(new.display_name, concat_ws(' ', new.first_name, new.last_name)), ' | ', case when new.display_name is not null then concat_ws(' ', new.first_name, new.last_name) end, ' | ', new.middle_name, ' | ', new.nickname, ' | ', new.email, ' | ', new.mls_id, ' | ', new.address_city, ' | ', case when concat(new.last_name, new.first_name) ~ '^[\\u3005\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af]+$' then concat(new.last_name, new.first_name) end, ' | ', license_texts(new.licenses), ' | ', new.office_name, ' | ', case when new.place_office_id is not null then replace(new.place_city, '|', ' ') end, ' | ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := regexp_replace(regexp_replace(regexp_replace(upper(searched collate "C"), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    else
      new.search_text := regexp_replace(regexp_replace(regexp_replace(replace(replace(replace(translate(normalize(regexp_replace(normalize(upper(normalize(replace(searched, '´', ''''), nfkc) collate "und-x-icu"), nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH'), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    end if;
  end if;
  new.record := agent_record_8(new);
  new.record_shape := 8;
  return new;
end $$`,
    ],
  },
  team: {
    version: 3,
    statements: [
      `drop type if exists team_json_3, team_json_3_address, team_json_3_source`,
      `create type team_json_3_address as ("line1" text, "line2" text, "city" text, "county" text, "region" text, "postalCode" text, "country" text)`,
      `create type team_json_3_source as ("name" text, "key" text)`,
      `create type team_json_3 as (
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
  "address" team_json_3_address,
  "source" team_json_3_source,
  "metadata" jsonb,
  "scheduledChanges" jsonb
)`,
      `create or replace function team_record_3(shown team) returns json
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
    case when num_nonnulls(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country") > 0 then row(shown."address_line1", shown."address_line2", shown."address_city", shown."address_county", shown."address_region", shown."address_postal_code", shown."address_country")::team_json_3_address end,
    case when num_nonnulls(shown."source_name", shown."source_key") > 0 then row(shown."source_name", shown."source_key")::team_json_3_source end,
    shown."metadata",
    shown."scheduled_changes"
  )::team_json_3);
end $$`,
      `create or replace function team_keep() returns trigger language plpgsql as $$
declare
  searched text;
begin
  if old.record_shape is distinct from 3
    or (new.search_text, new.name, new.mls_id, new.email, new.address_city)
    is distinct from (old.search_text, old.name, old.mls_id, old.email, old.address_city) then
    searched := concat(' | ', new."name", ' | ', new.mls_id, ' | ', new.email, ' | ', new.address_city, ' | ');
    if octet_length(searched) = char_length(searched) then
      new.search_text := regexp_replace(regexp_replace(regexp_replace(upper(searched collate "C"), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    else
      new.search_text := regexp_replace(regexp_replace(regexp_replace(replace(replace(replace(translate(normalize(regexp_replace(normalize(upper(normalize(replace(searched, '´', ''''), nfkc) collate "und-x-icu"), nfd), '[' || chr(768) || '-' || chr(879) || ']', '', 'g'), nfc), 'ØŁĐÐĦŦ', 'OLDDHT'), 'Æ', 'AE'), 'Œ', 'OE'), 'Þ', 'TH'), '[\\u0027\\u0060\\u02b9\\u02bb\\u02bc\\u02bd\\u02be\\u02bf\\u02c8\\u05f3\\u2018\\u2019\\u201b\\u2032]', '', 'g'), '[\\u002d\\u058a\\u05be\\u2010\\u2011\\u2012\\u2013\\u2014\\u2015\\u2043\\u2212\\u30a0\\u0022\\u00ab\\u00bb\\u05f4\\u201a\\u201c\\u201d\\u201e\\u201f\\u2039\\u203a\\u300a\\u300b\\u300c\\u300d\\u300e\\u300f\\u0028\\u0029\\u005b\\u005d\\u007b\\u007d\\u003c\\u003e\\u002c\\u003b\\u003a\\u0021\\u003f\\u002f\\u0026\\u00a1\\u00b7\\u00bf\\u060c\\u061b\\u061f\\u2022\\u3001\\u3002\\u30fb\\u0009\\u000a\\u000b\\u000c\\u000d\\u0085\\u1680\\u2028\\u2029]', ' ', 'g'), '\\.+ [ .]*| [ .]+', ' ', 'g');
    end if;
  end if;
  new.record := team_record_3(new);
  new.record_shape := 3;
  return new;
end $$`,
    ],
  },
};
