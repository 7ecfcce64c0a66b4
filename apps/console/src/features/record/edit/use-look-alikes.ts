import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import type { LookAlike } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';

const none: readonly LookAlike[] = [];

export function useLookAlikes(resource: ResourceName) {
  const { can } = useRights();
  const [asked, setAsked] = useState<{ body: string; found: readonly LookAlike[] }>();

  /** Whether a record may be created: it looks like none, or was sent again after it was said which it looks like. */
  const mayCreate = async (body: Record<string, unknown>): Promise<boolean> => {
    const text = JSON.stringify(body);
    if (asked?.body === text || !can(`${resource}:read`)) return true;
    try {
      const { lookAlikes: found } = await callsOf(resource).checkDuplicates.mutate(body);
      if (found.length > 0) setAsked({ body: text, found });
      return found.length === 0;
    } catch {
      // The creation says what is wrong, if it is about more than this question.
      return true;
    }
  };

  return { found: asked?.found ?? none, mayCreate, forget: () => setAsked(undefined) };
}
