import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type LookAlike, nameOf } from '../../../resources/record.ts';
import { Callout, InactiveBadge } from '../../../ui/badge.tsx';
import { useReadPhone } from '../../fields/phone-text.ts';
import { reasonText } from '../../fields/reason-labels.ts';
import { recordPath } from '../record-context.ts';

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
