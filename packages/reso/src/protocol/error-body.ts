import type { ErrorCode, FieldError, RosterError } from '@roster/api';

/** 400 in the standard, 422 in the other interfaces (RESO RCP-10). */
const payloadErrors: readonly ErrorCode[] = ['validation_failed', 'reference_not_found'];

export function statusOf({ errorCode, status }: RosterError): number {
  return payloadErrors.includes(errorCode) ? 400 : status;
}

/** OData JSON format, section 21; RESO RCP-10. */
export function errorBody(error: RosterError, requestId: string): object {
  const { errorCode, message, errors = [], currentVersion, dependents } = error;
  return {
    error: {
      code: errorCode,
      message,
      details: errors.map(detailOf),
      innererror: {
        requestId,
        ...(currentVersion !== undefined && { currentVersion }),
        ...(dependents && { dependents }),
      },
    },
  };
}

function detailOf({ code, detail, parameter, pointer }: FieldError) {
  return { code, target: parameter ?? pointer ?? '', message: detail };
}
