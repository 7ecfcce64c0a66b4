import type { Reason, Scope } from '@roster/api';
import type { Input } from '../../../src/input/fields.ts';
import type { Door } from './interfaces.ts';
import type { Stage } from './isolated-service.ts';

/** One call that every door makes, in a world of its own. */
export interface DoorCase {
  title: string;
  /** Why it is refused; it succeeds without. */
  refusal?: Reason;
  /** Makes what it needs, and answers the input of the call. */
  input: (stage: Stage) => Input | Promise<Input>;
  /** What the key of the caller may do; everything unless given. */
  scopes?: Scope[];
  /** Doors that cannot say this, and why. */
  except?: Partial<Record<Door, string>> | undefined;
}

/** The cases of one noun, verb by verb; the first one of a verb succeeds. */
export type CasesOf = Record<string, [DoorCase, ...DoorCase[]]>;

/** An id that no record has. */
export const UNKNOWN = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

/** The id is an argument of the command and a part of the path, so only RPC can leave it out. */
const withoutId: DoorCase['except'] = {
  rest: 'a path without the id is the path of the list',
  cli: 'a command without its argument is not understood',
};

/** REST says the version in If-Match, which takes any tag: what is no version is not refused, it matches nothing. */
export const noVersion: DoorCase['except'] = { rest: 'If-Match has a grammar of its own' };

/** A verb without --data takes the fields it knows. */
export const onlyKnown: DoorCase['except'] = { cli: 'an option that is not known is not understood' };

/** An option with few values takes no other. */
export const fewChoices: DoorCase['except'] = { cli: 'an option with few values understands no other' };

/** Cases of an operation on one record that any such operation has. */
export function idCases(more: Input = {}): DoorCase[] {
  return [
    { title: 'an id nobody has', refusal: 'not_found', input: () => ({ id: UNKNOWN, ...more }) },
    { title: 'an id that is none', refusal: 'invalid_parameter', input: () => ({ id: 'x', ...more }) },
    {
      title: 'an id of another script',
      refusal: 'invalid_parameter',
      input: () => ({ id: '東 京/?#', ...more }),
    },
    { title: 'no id', refusal: 'invalid_parameter', input: () => more, except: withoutId },
  ];
}
