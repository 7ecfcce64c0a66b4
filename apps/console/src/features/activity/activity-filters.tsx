import { Trans, useLingui } from '@lingui/react/macro';
import type { Event } from '@roster/client';
import { useRights } from '../../api/caller.ts';
import { contracts, resourceNames } from '../../api/contract/contracts.ts';
import { X } from '../../icons.tsx';
import { followableTypes } from '../../resources/event-types.ts';
import { resources } from '../../resources/index.ts';
import { useViewState } from '../../ui/browser/view-state.ts';
import { Button } from '../../ui/button.tsx';
import { DateField } from '../../ui/forms/date-field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
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
        onChange={(picked) => {
          const chosen = picked in kinds ? ofKind(picked) : picked.split(',');
          change({ types: picked === '' ? undefined : chosen });
        }}
        options={[
          ['', t`All changes to records`],
          ...(chosenKind === undefined && types.length > 1
            ? [[types.join(), types.map(words).join(', ')] as const]
            : []),
        ]}
        groups={present.map((kind) => ({
          label: kinds[kind] ?? kind,
          options: [
            [kind, t`${kinds[kind] ?? kind}: everything`],
            ...ofKind(kind).map((type) => [type, words(type)] as const),
          ],
        }))}
      />
      <SelectField
        label={t`By`}
        className="w-full sm:w-48"
        value={actorId ?? ''}
        onChange={(chosen) => change({ actorId: chosen || undefined })}
        options={[
          ['', t`Anyone`],
          ...[...actors].map(
            ([id, name]) => [id, id === rights.caller.id ? t`You (${name})` : name] as const,
          ),
        ]}
      />
      <DateField
        label={t`Since`}
        className="w-full sm:w-56"
        value={day ?? ''}
        onChange={(since) => change({ since: since || undefined })}
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
