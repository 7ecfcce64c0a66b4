import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type LookAlike, nameOf } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { Callout, InactiveBadge } from '../../../ui/badge.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { reasonText } from '../../fields/reason-labels.ts';
import { recordPath } from '../record-context.ts';

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

export function LookAlikes({ resource, found }: { resource: ResourceName; found: readonly LookAlike[] }) {
  const { i18n } = useLingui();
  const readPhone = useReadPhone();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found.length > 0) box.current?.focus();
  }, [found]);
  if (found.length === 0) return null;
  return (
    <div ref={box} tabIndex={-1} className="rounded-md">
      <Callout
        tone="warning"
        title={
          <Plural
            value={found.length}
            one="Possible duplicate of an existing record"
            other="Possible duplicate of # existing records"
          />
        }
      >
        <ul className="my-1 flex flex-col gap-1.5">
          {found.map(({ record, reasons }) => (
            <li key={record.id}>
              <Link
                to={recordPath(resource)}
                params={{ id: record.id }}
                search={true}
                className="font-medium text-accent underline underline-offset-2"
              >
                {nameOf(record)}
              </Link>{' '}
              {record.status === 'inactive' && <InactiveBadge />}
              <span className="wrap-anywhere block text-text">
                {reasons.map((reason) => reasonText({ i18n, resource, readPhone }, reason)).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
        <p className="text-text">
          <Trans>This may already exist. Open it (your draft is kept) or create a new record anyway.</Trans>
        </p>
      </Callout>
    </div>
  );
}
