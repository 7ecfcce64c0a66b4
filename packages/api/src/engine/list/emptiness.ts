import { fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { columnOf, partColumn } from '../fields/columns.ts';
import { addressParts } from '../fields/composite.ts';
import { withoutCaseSql } from '../sameness/sql.ts';
import type { Filter } from '../sql/filter.ts';
import { repeated } from './parameters.ts';

/** The filters `empty` and `notEmpty`: null fields, or empty lists. */

type Condition = RawBuilder<boolean>;

interface Emptiness {
  isEmpty: Condition;
  hasValue: Condition;
}

function nullable(field: string): Emptiness {
  const column = sql.ref(columnOf(field));
  return { isEmpty: sql`${column} is null`, hasValue: sql`${column} is not null` };
}

/** An address is null if all parts are. The index on the country finds those without one. */
function wholeAddress(): Emptiness {
  const columns = Object.keys(addressParts).map((part) => sql.ref(partColumn('address', part)));
  const areNull = columns.map((column) => sql`${column} is null`);
  return {
    isEmpty: sql`(${sql.join(areNull, sql` and `)})`,
    hasValue: sql`num_nonnulls(${sql.join(columns)}) > 0`,
  };
}

/**
 * The supported fields and their conditions. An index finds records without an email, MLS ID, source,
 * address, office or main office. For other fields PostgreSQL reads records until the page is full
 * (docs/concepts/lists-and-search.md).
 */
const emptiness = {
  // Same expression as the index.
  email: { ...nullable('email'), isEmpty: sql<boolean>`${withoutCaseSql(sql`email`)} is null` },
  phone: nullable('phone'),
  mlsId: nullable('mlsId'),
  officeId: nullable('officeId'),
  mainOfficeId: nullable('mainOfficeId'),
  brokerAgentId: nullable('brokerAgentId'),
  managerAgentId: nullable('managerAgentId'),
  licenses: { isEmpty: sql<boolean>`licenses = '[]'`, hasValue: sql<boolean>`licenses <> '[]'` },
  address: wholeAddress(),
  source: nullable('sourceName'),
} satisfies Record<string, Emptiness>;

export type EmptinessField = keyof typeof emptiness;

const any = fragment<{ names: EmptinessField[]; kind: keyof Emptiness }, Condition>(
  ({ names, kind }) =>
    sql`(${sql.join(
      names.map((name) => emptiness[name][kind]),
      sql` or `,
    )})`,
);

export function byEmptiness(fields: readonly EmptinessField[], kind: keyof Emptiness): Filter {
  return { condition: any({ names: [...new Set(fields)].sort(), kind }), values: {} };
}

export function emptinessQuery<const Names extends readonly [EmptinessField, ...EmptinessField[]]>(
  names: Names,
) {
  const field = z.enum(names);
  const [example] = names;
  return {
    empty: repeated(field, {
      description: 'Filter for records where this field is null or an empty list',
      example,
    }),
    notEmpty: repeated(field, { description: 'Filter for records where this field has a value', example }),
  };
}
