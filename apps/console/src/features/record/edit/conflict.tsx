import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { ActorName, useIsOwn } from '../actor-name.tsx';
import { ValueLinks } from '../record-context.ts';
import { FieldValue } from '../values.tsx';
import type { Conflict } from './use-draft-form.ts';
import type { RecordForm } from './use-record-form.ts';

/** The newest changes that may be the others'. */
const CHANGES_READ = 20;

interface FieldConflictProps {
  resource: ResourceName;
  form: RecordForm;
  name: string;
  conflict: Conflict;
}

/** Asks at a field which of two changes counts: someone else, or the same person in another tab, has changed it, too. */
export function FieldConflict({ resource, form, name, conflict: { record, before } }: FieldConflictProps) {
  const { t, i18n } = useLingui();
  const { can } = useRights();
  const isOwn = useIsOwn();
  const { id, version } = record;
  const { data } = useQuery({
    queryKey: [resource, 'history', { id, limit: CHANGES_READ }, version] as const,
    queryFn: ({ signal }) => callsOf(resource).history.query({ id, limit: CHANGES_READ }, { signal }),
    enabled: can('events:read'),
  });
  const change = data?.items.find(({ changes }) =>
    changes.some(({ field }) => field.split('.', 1)[0] === name),
  );
  const label = fieldLabel(i18n, resource, name);
  const value = (title: ReactNode, shown: unknown) => (
    <div className="flex flex-wrap gap-x-1.5">
      {title}
      <ValueLinks value={false}>
        <FieldValue resource={resource} path={name} value={shown} />
      </ValueLinks>
    </div>
  );
  return (
    <fieldset aria-label={t`Conflict: ${label}`} data-problem tabIndex={-1} className="mt-1.5 rounded-md">
      <Callout
        tone="warning"
        title={
          <span role="alert">
            {change === undefined ? (
              <Trans>This field has changed since</Trans>
            ) : isOwn(change) ? (
              <Trans>This field changed in a different tab</Trans>
            ) : (
              <Trans>
                <ActorName change={change} /> has changed this field, too
              </Trans>
            )}
            {change !== undefined && (
              <>
                {' '}
                (<RelativeTime time={change.occurredAt} />)
              </>
            )}
          </span>
        }
      >
        <div className="my-1 text-text">
          {value(<Trans>Now:</Trans>, record[name])}
          {value(<Trans>Before:</Trans>, before)}
        </div>
        <div className="flex flex-wrap gap-2">
          {(['mine', 'theirs'] as const).map((choice) => (
            <Button
              key={choice}
              onClick={({ currentTarget }) => {
                form.settle(name, choice);
                const field = currentTarget.closest('[data-path]');
                field?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
              }}
            >
              {choice === 'mine' ? <Trans>Keep mine</Trans> : <Trans>Keep the other</Trans>}
            </Button>
          ))}
        </div>
      </Callout>
    </fieldset>
  );
}
