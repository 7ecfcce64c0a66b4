import { limits } from '../../packages/odata/src/limits.ts';
import {
  COLLECTION_MAX,
  EVENT_READS_MAX,
  EXPANDED_COLLECTIONS_MAX,
  OPEN_VALUES_MAX,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  RECORDS_OF_REQUEST,
  SKIP_MAX,
} from '../../packages/reso/src/protocol/limits.ts';
import { invalidParameter, type Limit, limited, timeout } from './limit-texts.ts';
import { number } from './markdown.ts';

/** The limits of the RESO Web API. */
export const reso: readonly Limit[] = [
  [
    'records of a page',
    `${number(PAGE_SIZE_MAX)}, ${PAGE_SIZE} by default`,
    `${number(PAGE_SIZE_MAX)} records and a link`,
  ],
  [
    'cost of a page',
    `one request for every ${RECORDS_OF_REQUEST} records, and one for each query of \`$expand\``,
    limited,
  ],
  [
    'reads of the log for a page of `EntityEvent`',
    `${EVENT_READS_MAX}, each for one request more`,
    'a short page and a link, or 400 for `$skip`',
  ],
  ['`$skip`', number(SKIP_MAX), invalidParameter],
  ['comparisons and functions of a `$filter`', number(limits.termsMax), invalidParameter],
  ['levels of a `$filter`', number(limits.depthMax), invalidParameter],
  ['values of an `in`', number(limits.valuesMax), invalidParameter],
  ['keys of an `$orderby`', number(limits.orderKeysMax), invalidParameter],
  ['names of a `$select`', number(limits.namesMax), invalidParameter],
  ['items of an `$expand`', number(limits.expansionsMax), invalidParameter],
  [
    'values that the records of a set have in fields with an open lookup, and `Lookup` has',
    number(OPEN_VALUES_MAX),
    'the others are left out',
  ],
  ['members of an office that `$expand` has', number(COLLECTION_MAX), `${COLLECTION_MAX} members and a link`],
  ['offices of a page whose members `$expand` has', number(EXPANDED_COLLECTIONS_MAX), invalidParameter],
  ['a query that takes the database too long', 'the timeout of a statement', timeout],
];
