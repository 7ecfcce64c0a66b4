import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordChange } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { pathLabel, pathLabels } from '../../fields/field-labels.ts';
import { ActorName, useIsOwn } from '../actor-name.tsx';
import { ValueLinks } from '../record-context.ts';
import { FieldValue } from '../values.tsx';
import type { Conflict } from './use-merge.ts';
import type { Choice, Choices, Clash } from './values/merge.ts';

/** The newest changes that may be the others'. */
const CHANGES_READ = 20;

/** A value of a clash, of a field, of a part of it, or of an item of a list, as text: its links would be in the way of choosing. */
function ClashValue({ resource, path, value }: { resource: ResourceName; path: string; value: unknown }) {
  const [field = '', ...rest] = path.split('.');
  if (value === undefined)
    return (
      <span className="text-muted">
        <Trans>removed</Trans>
      </span>
    );
  // An item of a list is shown as a list of one.
  const isItem = rest.length > 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
  const shownPath = field === 'licenses' && rest.length > 1 ? `${field}.${rest.at(-1)}` : path;
  return (
    <ValueLinks value={false}>
      <FieldValue resource={resource} path={isItem ? field : shownPath} value={isItem ? [value] : value} />
    </ValueLinks>
  );
}

function useNewerChanges(resource: ResourceName, { theirs: { id, version } }: Conflict) {
  const { can } = useRights();
  const { data } = useQuery({
    queryKey: [resource, 'history', { id, limit: CHANGES_READ }, version] as const,
    queryFn: ({ signal }) => callsOf(resource).history.query({ id, limit: CHANGES_READ }, { signal }),
    enabled: can('events:read'),
  });
  return ({ path }: Clash): RecordChange | undefined => {
    const field = path.split('.', 1)[0] ?? '';
    return data?.items.find(({ changes }) =>
      changes.some((one) => one.field === field || one.field.startsWith(`${field}.`)),
    );
  };
}

interface ClashFieldsProps {
  resource: ResourceName;
  clash: Clash;
  change: RecordChange | undefined;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

function ClashFields({ resource, clash, change, choice, onChoose }: ClashFieldsProps) {
  const { i18n } = useLingui();
  const isOwn = useIsOwn();
  const isElsewhere = change !== undefined && isOwn(change);
  const { path, base, mine, theirs } = clash;
  const name = useId();
  const option = (which: Choice, label: React.ReactNode, value: unknown) => (
    <label className="flex items-start gap-3 rounded-sm border border-line p-3 has-checked:border-accent has-checked:bg-selected">
      <input
        type="radio"
        name={name}
        required
        checked={choice === which}
        className="mt-0.5"
        onChange={() => onChoose(which)}
      />
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        <ClashValue resource={resource} path={path} value={value} />
      </span>
    </label>
  );
  return (
    <fieldset className="flex flex-col gap-2 text-sm">
      <legend className="mb-1 font-semibold">{pathLabel(i18n, resource, path)}</legend>
      <p className="text-muted">
        <Trans>Before:</Trans> <ClashValue resource={resource} path={path} value={base} />
      </p>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        {option('mine', isElsewhere ? <Trans>Keep mine</Trans> : <Trans>Yours</Trans>, mine)}
        {option(
          'theirs',
          <>
            {isElsewhere ? <Trans>Keep the other</Trans> : <Trans>Theirs</Trans>}{' '}
            {change !== undefined && (
              <span className="text-muted">
                (<ActorName change={change} />, <RelativeTime time={change.occurredAt} />)
              </span>
            )}
          </>,
          theirs,
        )}
      </div>
    </fieldset>
  );
}

interface MergeDialogProps {
  resource: ResourceName;
  conflict: Conflict;
  onResolve: (choices: Choices) => void;
  onClose: () => void;
}

/** Asks which of two changes counts, for what two people, or one in two tabs, have changed to different values. All else is merged already. */
export function MergeDialog({ resource, conflict, onResolve, onClose }: MergeDialogProps) {
  const { t, i18n } = useLingui();
  const [choices, setChoices] = useState<Choices>({});
  const formId = useId();
  const { clashes, taken, isSaving } = conflict;
  const isOwn = useIsOwn();
  const changeOf = useNewerChanges(resource, conflict);
  const changes = clashes.flatMap((clash) => changeOf(clash) ?? []);
  const isKnown = changes.length === clashes.length;
  const isDecided = clashes.every(({ path }) => path in choices);
  const list = pathLabels(i18n, resource, taken);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isDecided) onResolve(choices);
  };
  return (
    <Dialog
      title={
        changes.some((change) => !isOwn(change))
          ? t`Someone else has changed the same fields`
          : isKnown
            ? t`This record changed in a different tab`
            : t`The same fields have changed since`
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Back to the form</Trans>
          </Button>
          <Button type="submit" form={formId} look="primary" disabled={!isDecided}>
            {isSaving ? <Trans>Save</Trans> : <Trans>Merge</Trans>}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-5" onSubmit={submit}>
        {taken.length > 0 && (
          <p className="text-sm">
            <Trans>Also changed meanwhile, and kept: {list}</Trans>
          </p>
        )}
        {clashes.map((clash) => (
          <ClashFields
            key={clash.path}
            resource={resource}
            clash={clash}
            change={changeOf(clash)}
            choice={choices[clash.path]}
            onChoose={(choice) => setChoices({ ...choices, [clash.path]: choice })}
          />
        ))}
      </form>
    </Dialog>
  );
}
