import type { ErrorCode } from './error-codes.ts';
import { type FieldError, RosterError } from './roster-error.ts';

/** The part of node-postgres's DatabaseError that is read here. */
interface DatabaseRefusal {
  code: string;
  constraint?: string | undefined;
}

interface Meaning {
  reason: ErrorCode;
  pointer: string;
  code: string;
  detail: string;
}

/** The constraints that mean more than "this value breaks a rule". */
const meanings: Record<string, Meaning> = {
  agent_email_key: {
    reason: 'email_taken',
    pointer: '#/email',
    code: 'taken',
    detail: 'is the e-mail address of another agent',
  },
  office_source_key: {
    reason: 'source_taken',
    pointer: '#/source',
    code: 'taken',
    detail: 'is the source of another office',
  },
  agent_source_key: {
    reason: 'source_taken',
    pointer: '#/source',
    code: 'taken',
    detail: 'is the source of another agent',
  },
  agent_office_active_check: {
    reason: 'office_inactive',
    pointer: '#/officeId',
    code: 'inactive',
    detail: 'names an inactive office',
  },
  office_main_office_cycle_check: {
    reason: 'office_cycle',
    pointer: '#/mainOfficeId',
    code: 'cycle',
    detail: 'names an office below this one',
  },
  office_main_office_self_check: {
    reason: 'office_cycle',
    pointer: '#/mainOfficeId',
    code: 'cycle',
    detail: 'names the office itself',
  },
  agent_assistant_to_self_check: {
    reason: 'validation_failed',
    pointer: '#/assistantToAgentId',
    code: 'self',
    detail: 'names the agent itself',
  },
  office_source_check: {
    reason: 'validation_failed',
    pointer: '#/source',
    code: 'incomplete',
    detail: 'needs both a name and a key',
  },
  agent_source_check: {
    reason: 'validation_failed',
    pointer: '#/source',
    code: 'incomplete',
    detail: 'needs both a name and a key',
  },
  office_metadata_check: {
    reason: 'validation_failed',
    pointer: '#/metadata',
    code: 'too_many',
    detail: 'must hold at most 50 pairs',
  },
  agent_metadata_check: {
    reason: 'validation_failed',
    pointer: '#/metadata',
    code: 'too_many',
    detail: 'must hold at most 50 pairs',
  },
};

const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** `agent_office_id_fkey` is about `#/officeId`: our constraints are named after their table and column. */
function pointerOf(constraint: string): string {
  const column = constraint.replace(/^(office|agent)_/, '').replace(/_(fkey|check)$/, '');
  return `#/${column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

function meaningOf({ code, constraint }: DatabaseRefusal): Meaning | undefined {
  if (constraint === undefined) return undefined;
  if (constraint in meanings) return meanings[constraint];
  const pointer = pointerOf(constraint);
  if (code === FOREIGN_KEY_VIOLATION) {
    return { reason: 'reference_not_found', pointer, code: 'not_found', detail: 'names no existing record' };
  }
  if (code === CHECK_VIOLATION) {
    return { reason: 'validation_failed', pointer, code: 'not_allowed', detail: 'breaks a rule' };
  }
  return undefined;
}

/**
 * The one place where what the database's constraints refuse gets a reason. Returns undefined for an error
 * that no constraint raised. Decides by SQLSTATE and the constraint's name, never by the text of a message.
 */
export function refusalOfConstraint(error: DatabaseRefusal): RosterError | undefined {
  const meaning = meaningOf(error);
  if (meaning === undefined) return undefined;
  const { reason, pointer, code, detail } = meaning;
  const errors: FieldError[] = [{ pointer, code, detail }];
  return new RosterError(reason, `${pointer.slice(2)} ${detail}.`, { errors, cause: error });
}

/** Whether the database refused because another row still refers to the one being deleted. */
export function isStillReferenced(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION;
}
