import type { ErrorCode, FieldError, RosterError } from '@roster/api';

/** The errors of a payload: the standard answers them with 400, where the other interfaces answer 422 (RESO RCP-10). */
const payloadErrors: readonly ErrorCode[] = ['validation_failed', 'reference_not_found'];

/** The status of the response to a request that was rejected with an error. */
export function statusOf({ errorCode, status }: RosterError): number {
  return payloadErrors.includes(errorCode) ? 400 : status;
}

/** The body of that response, as OData writes it (JSON format, section 21; RESO RCP-10). */
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
