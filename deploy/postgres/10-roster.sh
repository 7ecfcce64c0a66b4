#!/bin/sh
# PostgreSQL's image runs this once, when it makes the cluster. The service logs in as a role that owns its own database and
# has no other rights: it migrates it, and makes the extension pg_trgm, which PostgreSQL trusts an owner with.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set password `cat /run/secrets/database_password`
create role roster login nosuperuser nocreatedb nocreaterole password :'password';
create database roster owner roster;
revoke all on database roster from public;
SQL
