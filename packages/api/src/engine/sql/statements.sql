-- agents.create
with event_rows as ( insert into "agent" ("id", "created_at", "updated_at", "status_changed_at", "first_name", "last_name", "office_id") values ($1, $2, $3, $4, $5, $6, $7)
  returning id, version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, '{}'::json as previous ), written as ( insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.created', id, version, $8, $9::uuid, $10, $11, record, previous, $12::json
  from event_rows
  order by id) select record::text as record, id, version
  from event_rows;

-- agents.get
select "agent"."record" as record, version::text as version
  from "agent"
  where id = $1 and "agent"."record_shape" = 8;

-- agents.update of one version
with target as ( select "id", "version", "updated_at", "title", "office_id", "transferred_at", case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as was
  from "agent"
  where id = $1
  order by id for no key update ), changed as ( update "agent"
  set "title" = $2, "office_id" = $3, "transferred_at" = case when target.office_id is distinct
  from $4::uuid then $5 else target.transferred_at end, version = target.version + 1, updated_at = greatest($6, target.updated_at)
  from target
  where "agent".id = target.id and ("target"."title", "target"."office_id") is distinct
  from ($7, $8) and "target"."version" = any($9::bigint[])
  returning "agent".id, "agent".version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, target.was ), event_rows as materialized ( select id, version, record, ( select coalesce(json_object_agg(name, was), '{}')
  from rows
  from (json_each(was), json_each(record)) as field (name, was, same_name, became)
  where was::text <> became::text) as previous
  from changed ), written as ( insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.updated', id, version, $10, $11::uuid, $12, $13, record, previous, $14::json
  from event_rows
  order by id) select record::text as record, version, true as "isChanged"
  from event_rows
  union all select was::text, version, false
  from target
  where id not in (select id
  from changed);

-- agents.list
select case when bool_and(is_current) is not false then coalesce(string_agg(item::text, ', '), '') end as items, (array_agg("id"))[51]::text as next_id, (array_agg("id"))[50]::text as "last_id", to_char((array_agg("sort_value"))[50] at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_value"
  from ( select id, "created_at" as sort_value, "agent"."record" as item, ("agent"."record_shape" = 8) is true as is_current
  from "agent"
  order by "created_at" desc, "id" desc
  limit 51) as page;

-- agents.list, filtered, searched, expanded and counted
select part, bool_or(part = word) as is_word, count(*)::int as count
  from ( select search_text
  from "agent" tablesample system (( select least(100, 100.0 * 5000 / greatest(reltuples, 1))
  from pg_class
  where oid = 'agent'::regclass ))
  limit 20000 ) as sampled cross join lateral unnest(string_to_array(search_text, ' ')) as word cross join lateral unnest(string_to_array(replace(word, '@', '.'), '.')) as piece cross join lateral rtrim(piece, '0123456789') as part
  where char_length(part) between 3 and 30 group by part;
select case when bool_and(is_current) is not false then coalesce(string_agg(item::text, ', '), '') end as items, (array_agg("id"))[51]::text as next_id, (array_agg("id"))[50]::text as "last_id", (array_agg("sort_value"))[50]::text as "last_value", (array_agg("sort_tie"))[50] as "last_tie", ((select count(*)
  from "agent"
  where search_text like (select $1) and strpos("search_text", $2) > 0 and search_text like (select $3) and strpos("search_text", $4) > 0 and status in ('active') and "office_id" = $5::uuid) + (select count(*)
  from "agent" join agent_affiliation on agent_affiliation.agent_id = agent.id
  where search_text like (select $6) and strpos("search_text", $7) > 0 and search_text like (select $8) and strpos("search_text", $9) > 0 and status in ('active') and affiliated_office_id = $10::uuid))::text as total
  from ( select *
  from (( select id, "sorted_last_name" as sort_value, "sorted_first_name" as sort_tie, (select to_json(shown)
  from (select agent."id" as "id", agent."status" as "status", agent."status_reason" as "statusReason", to_char(agent."status_changed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "statusChangedAt", to_char(agent."deactivated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "deactivatedAt", to_char(agent."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt", to_char(agent."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt", agent."version" as "version", agent."first_name" as "firstName", agent."last_name" as "lastName", agent."middle_name" as "middleName", agent."nickname" as "nickname", agent."name_prefix" as "namePrefix", agent."name_suffix" as "nameSuffix", coalesce(agent.display_name, concat_ws(' ', agent.first_name, agent.last_name)) as "displayName", agent."title" as "title", agent."type" as "type", agent."office_id" as "officeId", agent."affiliations" as "affiliations", to_char(agent."transferred_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "transferredAt", agent."email" as "email", agent."phone" as "phone", agent."phone_ext" as "phoneExt", agent."mobile_phone" as "mobilePhone", agent."direct_phone" as "directPhone", agent."fax" as "fax", agent."mls_id" as "mlsId", agent."national_association_id" as "nationalAssociationId", agent."licenses" as "licenses", next_license_expiry(agent.licenses) as "nextLicenseExpiresOn", case when num_nonnulls(agent."address_line1", agent."address_line2", agent."address_city", agent."address_county", agent."address_region", agent."address_postal_code", agent."address_country") > 0 then row(agent."address_line1", agent."address_line2", agent."address_city", agent."address_county", agent."address_region", agent."address_postal_code", agent."address_country")::agent_json_8_address end as "address", agent."languages" as "languages", agent."designations" as "designations", agent."assistant_to_agent_id" as "assistantToAgentId", agent."website" as "website", agent."photo_url" as "photoUrl", agent."bio" as "bio", case when num_nonnulls(agent."source_name", agent."source_key") > 0 then row(agent."source_name", agent."source_key")::agent_json_8_source end as "source", agent."metadata" as "metadata", agent."scheduled_changes" as "scheduledChanges", (select (select to_json(shown)
  from (select office."id" as "id", office."name" as "name", office."status" as "status", office."branch_type" as "branchType", office."mls_id" as "mlsId", office."phone" as "phone", office."email" as "email", office."time_zone" as "timeZone") as shown)
  from office
  where office.id = agent.office_id) as "office") as shown) as item, true as is_current
  from "agent"
  where search_text like (select $11) and strpos("search_text", $12) > 0 and search_text like (select $13) and strpos("search_text", $14) > 0 and status in ('active') and "office_id" = $15::uuid
  order by "sorted_last_name" asc, "sorted_first_name" asc, "id" asc
  limit 51)
  union all ( select id, "sorted_last_name" as sort_value, "sorted_first_name" as sort_tie, (select to_json(shown)
  from (select agent."id" as "id", agent."status" as "status", agent."status_reason" as "statusReason", to_char(agent."status_changed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "statusChangedAt", to_char(agent."deactivated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "deactivatedAt", to_char(agent."created_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt", to_char(agent."updated_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt", agent."version" as "version", agent."first_name" as "firstName", agent."last_name" as "lastName", agent."middle_name" as "middleName", agent."nickname" as "nickname", agent."name_prefix" as "namePrefix", agent."name_suffix" as "nameSuffix", coalesce(agent.display_name, concat_ws(' ', agent.first_name, agent.last_name)) as "displayName", agent."title" as "title", agent."type" as "type", agent."office_id" as "officeId", agent."affiliations" as "affiliations", to_char(agent."transferred_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "transferredAt", agent."email" as "email", agent."phone" as "phone", agent."phone_ext" as "phoneExt", agent."mobile_phone" as "mobilePhone", agent."direct_phone" as "directPhone", agent."fax" as "fax", agent."mls_id" as "mlsId", agent."national_association_id" as "nationalAssociationId", agent."licenses" as "licenses", next_license_expiry(agent.licenses) as "nextLicenseExpiresOn", case when num_nonnulls(agent."address_line1", agent."address_line2", agent."address_city", agent."address_county", agent."address_region", agent."address_postal_code", agent."address_country") > 0 then row(agent."address_line1", agent."address_line2", agent."address_city", agent."address_county", agent."address_region", agent."address_postal_code", agent."address_country")::agent_json_8_address end as "address", agent."languages" as "languages", agent."designations" as "designations", agent."assistant_to_agent_id" as "assistantToAgentId", agent."website" as "website", agent."photo_url" as "photoUrl", agent."bio" as "bio", case when num_nonnulls(agent."source_name", agent."source_key") > 0 then row(agent."source_name", agent."source_key")::agent_json_8_source end as "source", agent."metadata" as "metadata", agent."scheduled_changes" as "scheduledChanges", (select (select to_json(shown)
  from (select office."id" as "id", office."name" as "name", office."status" as "status", office."branch_type" as "branchType", office."mls_id" as "mlsId", office."phone" as "phone", office."email" as "email", office."time_zone" as "timeZone") as shown)
  from office
  where office.id = agent.office_id) as "office") as shown) as item, true as is_current
  from "agent" join agent_affiliation on agent_affiliation.agent_id = agent.id
  where search_text like (select $16) and strpos("search_text", $17) > 0 and search_text like (select $18) and strpos("search_text", $19) > 0 and status in ('active') and affiliated_office_id = $20::uuid
  order by "sorted_last_name" asc, "sorted_first_name" asc, "id" asc
  limit 51)) as merged
  order by "sort_value" asc, "sort_tie" asc, "id" asc
  limit 51) as page;
select distinct word
  from (( select "search_text" as search_text
  from "agent"
  where search_text like (select $1) and search_text like (select $2) and strpos("search_text", (select $3)) > 0
  limit 200)
  union all ( select "search_text" as search_text
  from "agent"
  where search_text like (select $4) and search_text like (select $5) and strpos("search_text", (select $6)) > 0
  limit 200)
  union all ( select "search_text" as search_text
  from "agent"
  where search_text like (select $7) and search_text like (select $8) and strpos("search_text", (select $9)) > 0
  limit 200)
  union all ( select "search_text" as search_text
  from "agent"
  where search_text like (select $10) and search_text like (select $11) and strpos("search_text", (select $12)) > 0
  limit 200)
  union all ( select "search_text" as search_text
  from "agent"
  where search_text like (select $13) and search_text like (select $14) and strpos("search_text", (select $15)) > 0
  limit 200)
  union all ( select "search_text" as search_text
  from "agent"
  where search_text like (select $16) and search_text like (select $17) and strpos("search_text", (select $18)) > 0
  limit 200)) as sampled cross join lateral unnest(string_to_array(search_text, ' ')) as word
  where char_length(word) between $19::int - 2 and 30 and (word like $20 or word like $21 or word like $22 or word like $23 or word like $24 or word like $25);
select exists ( select
  from "agent"
  where search_text like (select $1) and strpos("search_text", $2) > 0 ) as is_known;

-- agents.list, after a cursor
select case when bool_and(is_current) is not false then coalesce(string_agg(item::text, ', '), '') end as items, (array_agg("id"))[2]::text as next_id, (array_agg("id"))[1]::text as "last_id", to_char((array_agg("sort_value"))[1] at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "last_value", (array_agg("id"))[1]::text as "first_id", to_char((array_agg("sort_value"))[1] at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "first_value"
  from ( select id, "updated_at" as sort_value, "agent"."record" as item, ("agent"."record_shape" = 8) is true as is_current
  from "agent"
  where ("updated_at", "id") < ((select $1)::timestamptz, (select $2)::uuid)
  order by "updated_at" desc, "id" desc
  limit 2) as page;

-- agents.list, from a name on, of those without an e-mail
select case when bool_and(is_current) is not false then coalesce(string_agg(item::text, ', '), '') end as items, (array_agg("id"))[2]::text as next_id, (array_agg("id"))[1]::text as "last_id", (array_agg("sort_value"))[1]::text as "last_value", (array_agg("sort_tie"))[1] as "last_tie", (array_agg("id"))[1]::text as "first_id", (array_agg("sort_value"))[1]::text as "first_value", (array_agg("sort_tie"))[1] as "first_tie", coalesce(( select '1'
  from "agent"
  where (lower(email collate "und-x-icu") is null) and (num_nonnulls("address_line1", "address_line2", "address_city", "address_county", "address_region", "address_postal_code", "address_country") > 0 or "office_id" is not null) and ("sorted_last_name", "id") < ((select $1)::text, (select $2)::uuid)
  order by "sorted_last_name" desc, "sorted_first_name" desc, "id" desc
  limit 1)) as has_before
  from ( select id, "sorted_last_name" as sort_value, "sorted_first_name" as sort_tie, "agent"."record" as item, ("agent"."record_shape" = 8) is true as is_current
  from "agent"
  where (lower(email collate "und-x-icu") is null) and (num_nonnulls("address_line1", "address_line2", "address_city", "address_county", "address_region", "address_postal_code", "address_country") > 0 or "office_id" is not null) and ("sorted_last_name", "id") >= ((select $3)::text, (select $4)::uuid)
  order by "sorted_last_name" asc, "sorted_first_name" asc, "id" asc
  limit 2) as page;

-- agents.delete
with event_rows as ( delete
  from "agent"
  where id = $1
  returning id, version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, '{}'::json as previous ), entombed as ( insert into tombstone (collection, id, record, deleted_at) select 'agents', id, record, $2
  from event_rows ), written as ( insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.deleted', id, version, $3, $4::uuid, $5, $6, record, previous, $7::json
  from event_rows
  order by id) select record
  from event_rows;

-- agents.restore
begin;
delete
  from tombstone
  where collection = $1 and id = any($2::uuid[]) and deleted_at > $3 and not exists ( select
  from record_merge
  where duplicate_id = tombstone.id and undone_at is null )
  returning record;
with event_rows as ( insert into "agent" ("id", "status", "status_reason", "status_changed_at", "deactivated_at", "created_at", "updated_at", "version", "first_name", "last_name", "middle_name", "nickname", "name_prefix", "name_suffix", "display_name", "title", "type", "office_id", "affiliations", "transferred_at", "email", "phone", "phone_ext", "mobile_phone", "direct_phone", "fax", "mls_id", "national_association_id", "licenses", "address_line1", "address_line2", "address_city", "address_county", "address_region", "address_postal_code", "address_country", "languages", "designations", "assistant_to_agent_id", "website", "photo_url", "bio", "source_name", "source_key", "metadata", "scheduled_changes") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, nullif($15::text, concat_ws(' ', $16::text, $17::text)), $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48)
  returning id, version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, '{}'::json as previous ), written as ( insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.restored', id, version, $49, $50::uuid, $51, $52, record, previous, $53::json
  from event_rows
  order by id) select record::text as record, id, version
  from event_rows;
commit;

-- imports.agents, of new ones and others
begin;
set local enable_seqscan = off;
with wanted as ( select *
  from jsonb_to_recordset($1::jsonb) as wanted (place int, id uuid, name text, key text, "officeName" text) ), found as ( select place, office.id
  from wanted join office on office.id = wanted.id
  union all select place, office.id
  from wanted join office on (source_name, source_key) = (wanted.name, wanted.key)
  union all select place, office.id
  from wanted join record_merge on duplicate_id = wanted.id and undone_at is null join office on office.id = merged_into(duplicate_id)
  union all select place, office.id
  from wanted join record_merge on (source_name, source_key) = (wanted.name, wanted.key) and undone_at is null join office on office.id = merged_into(duplicate_id)
  where not exists ( select
  from office as own
  where (own.source_name, own.source_key) = (wanted.name, wanted.key) )
  union all select place, id
  from ( select place, id, row_number() over (partition by place
  order by id) as nth
  from ( select place, office.id
  from wanted join office on upper(regexp_replace(normalize("office"."name", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C" = upper(regexp_replace(normalize(wanted."officeName", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C" union select place, office.id
  from wanted join record_merge on collection = 'offices' and undone_at is null and upper(regexp_replace(normalize("record_merge"."name", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C" = upper(regexp_replace(normalize(wanted."officeName", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C" join office on office.id = merged_into(duplicate_id)
  where not exists (select
  from office
  where upper(regexp_replace(normalize("office"."name", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C" = upper(regexp_replace(normalize(wanted."officeName", nfkc), '\s+', ' ', 'g') collate "und-x-icu") collate "C") ) as led ) as named
  where nth <= 2 ), locked as ( select id, status
  from office
  where id in (select id
  from found)
  order by id for share ) select place, id, status
  from found join locked using (id);
select distinct on (place) place, survivor.id
  from jsonb_to_recordset($1::jsonb) as wanted (place int, name text, key text) join record_merge on collection = $2 and undone_at is null and (record_merge.source_name, record_merge.source_key) = (wanted.name, wanted.key) join "agent" as survivor on survivor.id = merged_into(duplicate_id)
  where not exists ( select
  from "agent" as own
  where (own.source_name, own.source_key) = (wanted.name, wanted.key) )
  order by place, merged_at desc;
with given as ( select *
  from jsonb_to_recordset($1::jsonb) as given (place int, name text, key text, email text, metadata jsonb, id uuid) ), locked as ( select id, version, "office_id" as office_id, source_name, source_key, metadata, array["first_name", "last_name"]::text[] as names
  from "agent"
  where (source_name, source_key) in (select name, key
  from given)
  order by id for no key update ) select case when locked.id is not null then json_build_object( 'id', locked.id, 'version', locked.version, 'officeId', locked.office_id, 'names', locked.names) end as match, given.metadata is not null and locked.id is not null and not metadata_within(jsonb_strip_nulls(locked.metadata || given.metadata)) as "isMetadataFull", lower(given.email collate "und-x-icu") as "foldedEmail", (select holder.id
  from "agent" as holder
  where lower(holder.email collate "und-x-icu") = lower(given.email collate "und-x-icu")) as "emailHolder", (select holder.id
  from record_merge join "agent" as holder on holder.id = merged_into(duplicate_id)
  where collection = $2 and undone_at is null and lower(record_merge.email collate "und-x-icu") = lower(given.email collate "und-x-icu")
  order by merged_at desc
  limit 1) as "emailSurvivor"
  from given left join locked on (locked.source_name, locked.source_key) = (given.name, given.key)
  order by place;
with given as ( select *
  from jsonb_to_recordset($1::jsonb) as given (id uuid, columns jsonb) ), target as ( select "agent".*, "agent" as whole, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as was
  from "agent"
  where id in (select id
  from given)
  order by id for no key update ), wanted as ( select target.id, "merged"."first_name" as "first_name", "merged"."last_name" as "last_name", "merged"."middle_name" as "middle_name", "merged"."nickname" as "nickname", "merged"."name_prefix" as "name_prefix", "merged"."name_suffix" as "name_suffix", case when given.columns ? 'display_name' then nullif("merged"."display_name"::text, concat_ws(' ', merged.first_name, merged.last_name)) else "merged"."display_name" end as "display_name", "merged"."title" as "title", "merged"."type" as "type", "merged"."office_id" as "office_id", "merged"."affiliations" as "affiliations", "merged"."email" as "email", "merged"."phone" as "phone", "merged"."phone_ext" as "phone_ext", "merged"."mobile_phone" as "mobile_phone", "merged"."direct_phone" as "direct_phone", "merged"."fax" as "fax", "merged"."mls_id" as "mls_id", "merged"."national_association_id" as "national_association_id", "merged"."licenses" as "licenses", "merged"."address_line1" as "address_line1", "merged"."address_line2" as "address_line2", "merged"."address_city" as "address_city", "merged"."address_county" as "address_county", "merged"."address_region" as "address_region", "merged"."address_postal_code" as "address_postal_code", "merged"."address_country" as "address_country", "merged"."languages" as "languages", "merged"."designations" as "designations", "merged"."assistant_to_agent_id" as "assistant_to_agent_id", "merged"."website" as "website", "merged"."photo_url" as "photo_url", "merged"."bio" as "bio", "merged"."source_name" as "source_name", "merged"."source_key" as "source_key", case jsonb_typeof(given.columns -> 'metadata') when 'object' then jsonb_strip_nulls(target.metadata || (given.columns -> 'metadata')) when 'null' then '{}' else target.metadata end as "metadata"
  from target join given using (id) cross join lateral jsonb_populate_record(target.whole, given.columns - 'metadata') as merged ), changed as ( update "agent"
  set "first_name" = "wanted"."first_name", "last_name" = "wanted"."last_name", "middle_name" = "wanted"."middle_name", "nickname" = "wanted"."nickname", "name_prefix" = "wanted"."name_prefix", "name_suffix" = "wanted"."name_suffix", "display_name" = "wanted"."display_name", "title" = "wanted"."title", "type" = "wanted"."type", "office_id" = "wanted"."office_id", "affiliations" = "wanted"."affiliations", "email" = "wanted"."email", "phone" = "wanted"."phone", "phone_ext" = "wanted"."phone_ext", "mobile_phone" = "wanted"."mobile_phone", "direct_phone" = "wanted"."direct_phone", "fax" = "wanted"."fax", "mls_id" = "wanted"."mls_id", "national_association_id" = "wanted"."national_association_id", "licenses" = "wanted"."licenses", "address_line1" = "wanted"."address_line1", "address_line2" = "wanted"."address_line2", "address_city" = "wanted"."address_city", "address_county" = "wanted"."address_county", "address_region" = "wanted"."address_region", "address_postal_code" = "wanted"."address_postal_code", "address_country" = "wanted"."address_country", "languages" = "wanted"."languages", "designations" = "wanted"."designations", "assistant_to_agent_id" = "wanted"."assistant_to_agent_id", "website" = "wanted"."website", "photo_url" = "wanted"."photo_url", "bio" = "wanted"."bio", "source_name" = "wanted"."source_name", "source_key" = "wanted"."source_key", "metadata" = "wanted"."metadata", "transferred_at" = case when target.office_id is distinct
  from "wanted"."office_id"::uuid then $2 else target.transferred_at end, "is_email_moving" = (target.is_email_moving or wanted.email is distinct
  from target.email) and exists ( select
  from "agent" as holder
  where lower(holder.email collate "und-x-icu") = lower(wanted.email collate "und-x-icu") and not holder.is_email_moving and holder.id <> wanted.id and holder.id = any($3::uuid[]) ), version = target.version + 1, updated_at = greatest($4, target.updated_at)
  from target join wanted using (id)
  where "agent".id = target.id and ("wanted"."first_name", "wanted"."last_name", "wanted"."middle_name", "wanted"."nickname", "wanted"."name_prefix", "wanted"."name_suffix", "wanted"."display_name", "wanted"."title", "wanted"."type", "wanted"."office_id", "wanted"."affiliations", "wanted"."email", "wanted"."phone", "wanted"."phone_ext", "wanted"."mobile_phone", "wanted"."direct_phone", "wanted"."fax", "wanted"."mls_id", "wanted"."national_association_id", "wanted"."licenses", "wanted"."address_line1", "wanted"."address_line2", "wanted"."address_city", "wanted"."address_county", "wanted"."address_region", "wanted"."address_postal_code", "wanted"."address_country", "wanted"."languages", "wanted"."designations", "wanted"."assistant_to_agent_id", "wanted"."website", "wanted"."photo_url", "wanted"."bio", "wanted"."source_name", "wanted"."source_key", "wanted"."metadata") is distinct
  from ("target"."first_name", "target"."last_name", "target"."middle_name", "target"."nickname", "target"."name_prefix", "target"."name_suffix", "target"."display_name", "target"."title", "target"."type", "target"."office_id", "target"."affiliations", "target"."email", "target"."phone", "target"."phone_ext", "target"."mobile_phone", "target"."direct_phone", "target"."fax", "target"."mls_id", "target"."national_association_id", "target"."licenses", "target"."address_line1", "target"."address_line2", "target"."address_city", "target"."address_county", "target"."address_region", "target"."address_postal_code", "target"."address_country", "target"."languages", "target"."designations", "target"."assistant_to_agent_id", "target"."website", "target"."photo_url", "target"."bio", "target"."source_name", "target"."source_key", "target"."metadata")
  returning "agent".id, "agent".version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, target.was, "agent".is_email_moving as is_moving ), event_rows as materialized ( select id, version, record, ( select coalesce(json_object_agg(name, was), '{}')
  from rows
  from (json_each(was), json_each(record)) as field (name, was, same_name, became)
  where was::text <> became::text) as previous, is_moving
  from changed ), written as ( insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.updated', id, version, $5, $6::uuid, $7, $8, record, previous, $9::json
  from event_rows
  order by id) select id, version, is_moving as "isMoving"
  from event_rows;
with event_rows as ( insert into "agent" ("id", "created_at", "updated_at", "status_changed_at", "first_name", "last_name", "middle_name", "nickname", "name_prefix", "name_suffix", "display_name", "title", "type", "office_id", "affiliations", "email", "phone", "phone_ext", "mobile_phone", "direct_phone", "fax", "mls_id", "national_association_id", "licenses", "address_line1", "address_line2", "address_city", "address_county", "address_region", "address_postal_code", "address_country", "languages", "designations", "assistant_to_agent_id", "website", "photo_url", "bio", "source_name", "source_key", "metadata") select "merged"."id", $1::timestamptz, $2::timestamptz, $3::timestamptz, "merged"."first_name", "merged"."last_name", "merged"."middle_name", "merged"."nickname", "merged"."name_prefix", "merged"."name_suffix", nullif("merged"."display_name"::text, concat_ws(' ', merged.first_name, merged.last_name)), "merged"."title", "merged"."type", "merged"."office_id", "merged"."affiliations", "merged"."email", "merged"."phone", "merged"."phone_ext", "merged"."mobile_phone", "merged"."direct_phone", "merged"."fax", "merged"."mls_id", "merged"."national_association_id", "merged"."licenses", "merged"."address_line1", "merged"."address_line2", "merged"."address_city", "merged"."address_county", "merged"."address_region", "merged"."address_postal_code", "merged"."address_country", "merged"."languages", "merged"."designations", "merged"."assistant_to_agent_id", "merged"."website", "merged"."photo_url", "merged"."bio", "merged"."source_name", "merged"."source_key", coalesce(merged.metadata, '{}')
  from json_populate_recordset(null::"agent", $4::json) as merged
  order by "merged"."source_name", "merged"."source_key", "merged"."email", "merged"."id"
  returning id, version, case when "agent"."record_shape" = 8 then "agent"."record" else "agent_record_8"("agent") end as record, '{}'::json as previous ) insert into event (type, subject_id, version, occurred_at, actor_id, request_id, reason, record, previous, details) select 'agent.created', id, version, $5, $6::uuid, $7, $8, record, previous, $9::json
  from event_rows
  order by id;
commit;
