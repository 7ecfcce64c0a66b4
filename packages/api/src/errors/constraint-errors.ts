import { recordVersions, SQLSTATE } from '@roster/db';
import type { ErrorCode } from './error-codes.ts';
import { RosterError } from './roster-error.ts';

/** The part of node-postgres's DatabaseError that is read here. */
interface DatabaseError {
  code: string;
  constraint?: string | undefined;
  detail?: string | undefined;
}

interface ConstraintError {
  errorCode: ErrorCode;
  pointer: string;
  code: string;
  detail: string;
}

/** The constraints with an error of their own, by name. The others get one by their kind. */
const constraintErrors: Record<string, ConstraintError> = {
  agent_email_key: {
    errorCode: 'email_taken',
    pointer: '#/email',
    code: 'taken',
    detail: 'is already in use by another agent',
  },
  agent_merged_email_key: {
    errorCode: 'email_taken',
    pointer: '#/email',
    code: 'taken',
    detail: 'is already in use by another agent',
  },
  person_email_key: {
    errorCode: 'person_email_taken',
    pointer: '#/email',
    code: 'taken',
    detail: 'is already in use by another person',
  },
  agent_office_active_check: {
    errorCode: 'office_inactive',
    pointer: '#/officeId',
    code: 'inactive',
    detail: 'is an inactive office',
  },
  agent_affiliations_office_active_check: {
    errorCode: 'office_inactive',
    pointer: '#/affiliations',
    code: 'inactive',
    detail: 'is an inactive office',
  },
  agent_affiliation_office_id_fkey: {
    errorCode: 'reference_not_found',
    pointer: '#/affiliations',
    code: 'not_found',
    detail: 'is not an existing office',
  },
  agent_affiliations_primary_check: {
    errorCode: 'validation_failed',
    pointer: '#/affiliations',
    code: 'primary',
    detail: "is the office in officeId, so it can't be an affiliation",
  },
  team_member_agent_id_fkey: {
    errorCode: 'reference_not_found',
    pointer: '#/members',
    code: 'not_found',
    detail: 'is not an existing agent',
  },
  team_members_lead_check: {
    errorCode: 'validation_failed',
    pointer: '#/members',
    code: 'second_lead',
    detail: 'has two leads on the same day',
  },
  // The schema has checked all else: that a list is too long is seen when members are added to those that there are.
  team_members_check: {
    errorCode: 'validation_failed',
    pointer: '#/members',
    code: 'too_many',
    detail: 'must be at most 100',
  },
  office_main_office_cycle_check: {
    errorCode: 'office_cycle',
    pointer: '#/mainOfficeId',
    code: 'cycle',
    detail: 'is an office below this one',
  },
  office_main_office_rights_check: {
    errorCode: 'insufficient_scope',
    pointer: '#/mainOfficeId',
    code: 'more_rights',
    detail: 'is an office you have more rights over than this one',
  },
  office_main_office_self_check: {
    errorCode: 'office_cycle',
    pointer: '#/mainOfficeId',
    code: 'cycle',
    detail: 'is the office itself',
  },
  agent_assistant_to_self_check: {
    errorCode: 'validation_failed',
    pointer: '#/assistantToAgentId',
    code: 'self',
    detail: 'is the agent itself',
  },
};

function sourceTaken(table: string): ConstraintError {
  return {
    errorCode: 'source_taken',
    pointer: '#/source',
    code: 'taken',
    detail: `is already in use by another ${table}`,
  };
}

/** The constraints that a key of a record which was merged violates; their detail is the id of the survivor. */
const isMergedKey = (constraint: string | undefined) => /_merged_\w+_key$/.test(constraint ?? '');

/** The constraints that the table of every resource has, by what follows the name of the table. */
const errorsOfAll: Record<string, (table: string) => ConstraintError> = {
  source_key: sourceTaken,
  merged_source_key: sourceTaken,
  source_check: () => ({
    errorCode: 'validation_failed',
    pointer: '#/source',
    code: 'incomplete',
    detail: 'needs both a name and a key',
  }),
  metadata_check: () => ({
    errorCode: 'validation_failed',
    pointer: '#/metadata',
    code: 'too_many',
    detail: 'must hold at most 50 pairs',
  }),
};

/** The table of a record, and what follows it in the name of a constraint; undefined for a constraint of another table. */
function partsOf(constraint: string): { table: string; rest: string } | undefined {
  const tables = Object.keys(recordVersions);
  const table = tables.find((name) => constraint.startsWith(`${name}_`));
  return table === undefined ? undefined : { table, rest: constraint.slice(table.length + 1) };
}

/** The field of a constraint that is named after its table and column: `#/officeId` of `agent_office_id_fkey`. */
function pointerOf(rest: string): string {
  const column = rest.replace(/_(fkey|check)$/, '');
  return `#/${column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

function constraintErrorOf({ code, constraint }: DatabaseError): ConstraintError | undefined {
  if (constraint === undefined) return undefined;
  if (constraint in constraintErrors) return constraintErrors[constraint];
  const parts = partsOf(constraint);
  const ofAll = parts && errorsOfAll[parts.rest];
  if (ofAll !== undefined) return ofAll(parts?.table ?? '');
  const pointer = pointerOf(parts?.rest ?? constraint);
  if (code === SQLSTATE.foreignKeyViolation) {
    const detail = 'is not an existing record';
    return { errorCode: 'reference_not_found', pointer, code: 'not_found', detail };
  }
  // A check of another table is of a column that the service writes by itself, such as the type of an event: an error of the service.
  if (code === SQLSTATE.checkViolation && parts !== undefined) {
    return {
      errorCode: 'validation_failed',
      pointer,
      code: 'not_allowed',
      detail: 'violates a rule of the database',
    };
  }
  return undefined;
}

/** The record that has a key because another one was merged into it. */
function survivorOf({ constraint, detail: id }: DatabaseError): { table: string; id: string } | undefined {
  if (constraint === undefined || id === undefined || !isMergedKey(constraint)) return undefined;
  const { table } = partsOf(constraint) ?? {};
  return table === undefined ? undefined : { table, id };
}

/**
 * Converts the violation of a constraint to the error of the field that it is about; undefined for any other error. Decides
 * by SQLSTATE and the name of the constraint, never by the text of the message.
 */
export function toConstraintError(error: DatabaseError): RosterError | undefined {
  const found = constraintErrorOf(error);
  if (found === undefined) return undefined;
  const { errorCode, pointer, code, detail } = found;
  const errors = [{ pointer, code, detail }];
  const heldBy = survivorOf(error);
  return new RosterError(errorCode, `${pointer.slice(2)} ${detail}.`, {
    errors,
    ...(heldBy && { heldBy }),
    cause: error,
  });
}
