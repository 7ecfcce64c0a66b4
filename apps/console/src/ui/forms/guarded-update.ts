import { keysOf } from '@roster/fields/objects';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

export class ChangedMeanwhileError extends Error {
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`Changed meanwhile: ${fields.join(', ')}`);
    this.name = 'ChangedMeanwhileError';
    this.fields = fields;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export function changesOf<Values extends object>(before: Values, draft: Values): Partial<Values> {
  const names = keysOf<keyof Values & string>(draft);
  const changes: Partial<Values> = {};
  for (const name of names) if (!isSame(before[name], draft[name])) changes[name] = draft[name];
  return changes;
}

/** The fields of a change that somebody else has changed since to something else. */
export function clashesOf<Values extends object>(
  patch: Partial<Values>,
  { base, current }: { base: Values; current: Values },
): string[] {
  const names = keysOf<keyof Values & string>(patch);
  return names.filter((name) => !isSame(base[name], current[name]) && !isSame(patch[name], current[name]));
}

/**
 * Writes the fields that a form has changed, of a resource that has no versions. If somebody has changed one of them since, it
 * fails with a `ChangedMeanwhileError` and writes it only when it is asked again.
 */
export function useGuardedUpdate<Values extends object, Result>({
  before,
  read,
  write,
  onSuccess,
}: {
  before: Values;
  read: () => Promise<Values>;
  write: (patch: Partial<Values>) => Promise<Result>;
  onSuccess: (result: Result) => void;
}) {
  const [opened] = useState(before);
  const [base, setBase] = useState(before);
  return useMutation({
    mutationFn: async (draft: Values) => {
      const patch = changesOf(opened, draft);
      const current = await read();
      const clashes = clashesOf(patch, { base, current });
      setBase(current);
      if (clashes.length > 0) throw new ChangedMeanwhileError(clashes);
      return write(patch);
    },
    onSuccess,
  });
}
