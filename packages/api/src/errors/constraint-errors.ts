import { recordVersions, SQLSTATE } from '@roster/db';
import type { ErrorCode } from './error-codes.ts';
import { RosterError } from './roster-error.ts';

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

/** Constraints with their own errors; others are mapped by kind. */
const constraintErrors: Record<string, ConstraintError> = {
  agent_name_check: {
    errorCode: 'validation_failed',
    pointer: '#/firstName',
    code: 'required',
    detail: 'is required unless lastName is set',
  },
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
  // The schema checks the list, but adding members can exceed its maximum length.
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

/** The detail of these constraints is the survivor's ID. */
const isMergedKey = (constraint: string | undefined) => /_merged_\w+_key$/.test(constraint ?? '');

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

function partsOf(constraint: string): { table: string; rest: string } | undefined {
  const tables = Object.keys(recordVersions);
  const table = tables.find((name) => constraint.startsWith(`${name}_`));
  return table === undefined ? undefined : { table, rest: constraint.slice(table.length + 1) };
}

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
  // Checks of other tables are on columns the service sets, such as an event's type: an internal error.
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

function survivorOf({ constraint, detail: id }: DatabaseError): { table: string; id: string } | undefined {
  if (constraint === undefined || id === undefined || !isMergedKey(constraint)) return undefined;
  const { table } = partsOf(constraint) ?? {};
  return table === undefined ? undefined : { table, id };
}

/** Decides by SQLSTATE and the constraint's name, never by the message. */
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
