import type { ErrorCode, Scope } from '@roster/api';
import type { Input } from '../../../src/options/fields.ts';
import type { InterfaceName } from './interfaces.ts';
import type { Fixtures } from './isolated-service.ts';

/** A call that every interface makes, each to a service of its own. */
export interface ParityCase {
  title: string;
  /** The expected error code; success if undefined. */
  errorCode?: ErrorCode;
  /** Creates the records that it needs, and returns the input of the call. */
  input: (fixtures: Fixtures) => Input | Promise<Input>;
  /** The scopes of the caller's key; all by default. */
  scopes?: Scope[];
  /** Interfaces that cannot express the call, and why. */
  except?: Partial<Record<InterfaceName, string>> | undefined;
}

/** The cases of a resource by operation; the first one of each succeeds. */
export type CasesOf = Record<string, [ParityCase, ...ParityCase[]]>;

/** An id that no record has. */
export const UNKNOWN = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** Only RPC can omit the id, which is part of the path in REST and an argument on the command line. */
const withoutId: ParityCase['except'] = {
  rest: 'a path without the id is the path of the list',
  cli: 'a command without its argument is a usage error',
};

/** In REST the version is in If-Match, which accepts any tag: an invalid version is not rejected, it matches nothing. */
export const noVersion: ParityCase['except'] = { rest: 'If-Match has its own grammar' };

/** A command without --data has options only for known fields. */
export const onlyKnown: ParityCase['except'] = { cli: 'an unknown option is a usage error' };

/** An option with an enum rejects other values itself. */
export const fewChoices: ParityCase['except'] = { cli: 'an option with an enum rejects other values itself' };

/** The cases of the id, for every operation on one record. */
export function idCases(more: Input = {}): ParityCase[] {
  return [
    { title: 'an unknown id', errorCode: 'not_found', input: () => ({ id: UNKNOWN, ...more }) },
    { title: 'an invalid id', errorCode: 'invalid_parameter', input: () => ({ id: 'x', ...more }) },
    {
      title: 'an id in another script',
      errorCode: 'invalid_parameter',
      input: () => ({ id: '東 京/?#', ...more }),
    },
    { title: 'no id', errorCode: 'invalid_parameter', input: () => more, except: withoutId },
  ];
}
