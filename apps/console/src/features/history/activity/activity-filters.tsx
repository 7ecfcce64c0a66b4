import { Trans, useLingui } from '@lingui/react/macro';
import type { Event } from '@roster/client';
import { X } from 'lucide-react';
import { useRights } from '../../../api/caller.ts';
import { contracts, resourceNames } from '../../../api/contract/contracts.ts';
import { useViewState } from '../../../ui/browser/view-state.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { followableTypes } from '../../directory/resources/event-types.ts';
import { resources } from '../../directory/resources/index.ts';
import { kindOf, useEventWords } from './event-labels.tsx';
import type { ActivityFilter } from './use-activity.ts';

function actorsOf(events: readonly Event[], self: { id: string; name: string }): Map<string, string> {
  const actors = new Map([[self.id, self.name]]);
  for (const { actor } of events)
    if (actor !== null && !actors.has(actor.id)) actors.set(actor.id, actor.name ?? actor.id);
  return actors;
}

export function ActivityFilters({
  filter: { subject, actorId },
  chosenTypes: types,
  day,
  events,
}: {
  filter: ActivityFilter;
  chosenTypes: readonly string[];
  day: string | undefined;
  events: readonly Event[];
}) {
  const { t } = useLingui();
  const rights = useRights();
  const words = useEventWords();
  const [, change] = useViewState();
  const allowed = followableTypes(rights);
  const kinds: Record<string, string> = {
    ...Object.fromEntries(
      resourceNames.map((name) => [contracts[name].singular, t(resources[name].labels.many)]),
    ),
    key: t`Keys`,
    webhook: t`Webhooks`,
    person: t`People`,
    session: t`Sessions`,
  };
  const ofKind = (kind: string) => allowed.filter((type) => kindOf({ type }) === kind);
  const present = Object.keys(kinds).filter((kind) => ofKind(kind).length > 0);
  const chosenKind = present.find((kind) => ofKind(kind).join() === types.join());
  const actors = actorsOf(events, rights.caller);
  if (actorId !== undefined && !actors.has(actorId)) actors.set(actorId, actorId);
  const isFiltered = types.length > 0 || subject !== undefined || actorId !== undefined || day !== undefined;
  return (
    <search aria-label={t`Filters`} className="flex flex-wrap items-end gap-3">
      <SelectField
        label={t`Events`}
        className="w-full sm:w-56"
        value={chosenKind ?? types.join()}
        onChange={({ target }) => {
          const chosen = target.value in kinds ? ofKind(target.value) : target.value.split(',');
          change({ types: target.value === '' ? undefined : chosen });
        }}
      >
        <option value="">{t`All changes to records`}</option>
        {present.map((kind) => (
          <optgroup key={kind} label={kinds[kind] ?? kind}>
            <option value={kind}>{t`${kinds[kind] ?? kind}: everything`}</option>
            {ofKind(kind).map((type) => (
              <option key={type} value={type}>
                {words(type)}
              </option>
            ))}
          </optgroup>
        ))}
        {chosenKind === undefined && types.length > 1 && (
          <option value={types.join()}>{types.map(words).join(', ')}</option>
        )}
      </SelectField>
      <SelectField
        label={t`By`}
        className="w-full sm:w-48"
        value={actorId ?? ''}
        onChange={({ target }) => change({ actorId: target.value || undefined })}
        options={[
          ['', t`Anyone`],
          ...[...actors].map(
            ([id, name]) => [id, id === rights.caller.id ? t`You (${name})` : name] as const,
          ),
        ]}
      />
      <TextField
        label={t`Since`}
        type="date"
        className="w-full sm:w-44"
        value={day ?? ''}
        onChange={({ target }) => change({ since: target.value || undefined })}
      />
      {subject !== undefined && (
        <Button onClick={() => change({ subject: undefined })}>
          <Trans>One record only</Trans>
          <X aria-hidden />
        </Button>
      )}
      {isFiltered && (
        <Button
          look="quiet"
          onClick={() =>
            change({ types: undefined, subject: undefined, actorId: undefined, since: undefined })
          }
        >
          <Trans>Show all</Trans>
        </Button>
      )}
    </search>
  );
}
