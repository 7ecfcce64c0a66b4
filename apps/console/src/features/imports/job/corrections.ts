import type { Import } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Inputs, roster } from '../../../api/client.ts';

type Correction = Inputs['imports']['correct']['corrections'][number];

/** The most corrections in a call: the limit of the service. */
const CORRECTIONS_MAX = 100;

export interface Corrections {
  correct: (correction: Correction) => void;
  /** Whether some are sent, or the rows of some are being checked again. */
  isChecking: boolean;
  error: Error | null;
}

/**
 * Corrects cells of an import that was checked. Those that someone makes while rows are checked again wait for the end of that.
 *
 * @param isChecking Whether rows of the import are being checked again
 */
export function useCorrections({ id }: Import, isChecking: boolean): Corrections {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<readonly Correction[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (corrections: Correction[]) => roster.imports.correct.mutate({ id, corrections }),
    onSuccess: (changed) => client.setQueryData(['imports', 'get', { id }], changed),
  });
  useEffect(() => {
    if (isChecking || isPending || waiting.length === 0) return;
    mutate(waiting.slice(0, CORRECTIONS_MAX));
    setWaiting(waiting.slice(CORRECTIONS_MAX));
  }, [isChecking, isPending, waiting, mutate]);
  return {
    correct: (correction) => setWaiting((before) => [...before, correction]),
    isChecking: isChecking || isPending || waiting.length > 0,
    error,
  };
}
