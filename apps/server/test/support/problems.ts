import { type ErrorCode, errorCodes, Problem } from '@roster/api';
import { expect } from 'vitest';

/** Expects an error with this code: a problem as in the table of error codes, with the id and path of its request. */
export async function expectProblem(response: Response, reason: ErrorCode): Promise<Problem> {
  const text = await response.text();
  const { status, title } = errorCodes[reason];
  expect(response.status, text).toBe(status);
  const problem = Problem.parse(JSON.parse(text));
  expect(problem).toMatchObject({ code: reason, type: `/docs/errors#${reason}`, title, status });
  expect(response.headers.get('Content-Type')).toBe('application/problem+json; charset=utf-8');
  expect(problem.requestId).not.toBe('');
  expect(response.headers.get('X-Request-Id')).toBe(problem.requestId);
  expect(problem.detail).not.toBe('');
  expect(text).not.toMatch(/\\n\s+at |\.[jt]s:\d|node_modules|\bselect\b|\binsert into\b/i);
  if (status === 503) expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
  return problem;
}

/** The same, about one field or parameter. */
export async function expectFault(
  response: Response,
  reason: ErrorCode,
  fault: { pointer: string; code: string } | { parameter: string; code: string },
): Promise<void> {
  const { errors = [] } = await expectProblem(response, reason);
  expect(errors).toContainEqual(expect.objectContaining(fault));
}
