import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { queryClient } from '../../../api/client.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type DirectoryRecord, nameOf } from '../../../resources/record.ts';
import { recordQuery } from '../../../resources/record-calls.ts';
import { Button } from '../../../ui/button.tsx';
import { notify } from '../../../ui/notices.tsx';
import { recordPath } from '../record-context.ts';
import { DraftLine } from './drafts/draft-line.tsx';
import { LookAlikes } from './look-alikes.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { OthersChanges } from './others-changes.tsx';
import { ProblemSummary } from './problem-summary.tsx';
import type { RecordForm } from './use-record-form.ts';

function isGone(resource: ResourceName, id: string): boolean {
  const error = queryClient.getQueryState(recordQuery(resource, id).queryKey)?.error;
  return error instanceof RosterError && error.code === 'not_found';
}

function useFormLink(resource: ResourceName, record: DirectoryRecord | undefined): () => void {
  const navigate = useNavigate();
  return () =>
    void (record === undefined
      ? navigate({ to: `/${resource}/new`, search: true })
      : navigate({ to: `${recordPath(resource)}/edit`, params: { id: record.id }, search: true }));
}

/** Says, when a form is left with changes that are not saved, that they are kept, and leads back. */
function useKeptNotice(resource: ResourceName, record: DirectoryRecord | undefined, form: RecordForm): void {
  const { t } = useLingui();
  const open = useFormLink(resource, record);
  const say = useEffectEvent(() => {
    const { base, values } = form.draft.current();
    if (Object.keys(values).length === 0 || form.draft.dirty.length === 0 || base === undefined) return;
    const name = record === undefined ? '' : nameOf(record);
    if (record !== undefined && isGone(resource, record.id))
      return notify({
        text: t`${name} was deleted. To save your changes, restore the record first. Your draft is kept.`,
      });
    notify({
      text: record === undefined ? t`Draft of the new record saved` : t`Draft of ${name} saved`,
      action: { label: t`Continue editing`, run: open },
    });
  });
  useEffect(() => {
    // In the development mode of React an effect runs twice; the first end is no leaving.
    let isShown = false;
    const timer = setTimeout(() => {
      isShown = true;
    });
    return () => {
      clearTimeout(timer);
      if (isShown) say();
    };
  }, []);
}

function useDiscard(
  resource: ResourceName,
  record: DirectoryRecord | undefined,
  form: RecordForm,
): () => void {
  const { t } = useLingui();
  const open = useFormLink(resource, record);
  const { draft, changed } = form;
  return () => {
    if (changed.length === 0) return;
    const { base, values } = draft.current();
    const others = Object.entries(values).filter(([name]) => !changed.includes(name));
    draft.rebase(base, Object.fromEntries(others));
    const name = record === undefined ? '' : nameOf(record);
    notify({
      text: record === undefined ? t`New record discarded` : t`Changes to ${name} discarded`,
      action: {
        label: t`Undo`,
        run: () => {
          draft.rebase(base, values);
          open();
        },
      },
    });
  };
}

interface RecordFormFrameProps {
  resource: ResourceName;
  record: DirectoryRecord | undefined;
  form: RecordForm;
  label: string;
  saveLabel: ReactNode;
  /** Called to close the form; what differs from the record is kept as a draft. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * The frame of all forms of a record: problems at the top, what others change, the draft, and saving by Enter or Ctrl S. Escape closes it
 * and keeps the draft.
 */
export function RecordFormFrame({
  resource,
  record,
  form,
  label,
  saveLabel,
  onClose,
  children,
}: RecordFormFrameProps) {
  const element = useRef<HTMLFormElement>(null);
  useKeptNotice(resource, record, form);
  const discard = useDiscard(resource, record, form);
  const { draft, problems, isSaving, conflict, changed, lookAlikes } = form;
  const saveText =
    lookAlikes.length > 0 ? (
      <Trans>Create anyway</Trans>
    ) : record === undefined || changed.length === 0 ? (
      saveLabel
    ) : (
      <Plural value={changed.length} one="Save # change" other="Save # changes" />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void form.save();
  };
  return (
    <>
      <form
        ref={element}
        noValidate
        aria-label={label}
        className="flex w-full min-w-0 flex-col gap-4 py-2"
        onSubmit={submit}
        onClick={({ target }) => {
          // The buttons at the end may cover a part of it.
          if (target instanceof Element && target.matches('input, textarea, select'))
            target.scrollIntoView({ block: 'nearest' });
        }}
        onKeyDown={(event) => {
          if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            element.current?.requestSubmit();
          } else if (event.key === 'Escape' && !event.defaultPrevented) onClose();
        }}
      >
        <ProblemSummary resource={resource} problems={problems} />
        {record !== undefined && <OthersChanges resource={resource} record={record} form={form} />}
        <DraftLine draft={draft} isNew={record === undefined} />
        {children}
        <LookAlikes resource={resource} found={lookAlikes} />
        <div className="sticky bottom-0 flex flex-wrap gap-2 bg-surface py-2">
          <Button type="submit" look="primary" aria-disabled={isSaving}>
            {isSaving ? <Trans>Saving…</Trans> : saveText}
          </Button>
          <Button
            onClick={() => {
              discard();
              onClose();
            }}
          >
            <Trans>Cancel</Trans>
          </Button>
          {changed.length > 0 && (
            <Button onClick={onClose}>
              <Trans>Close, keep draft</Trans>
            </Button>
          )}
        </div>
      </form>
      {conflict !== undefined && (
        <MergeDialog
          key={conflict.theirs.version}
          resource={resource}
          conflict={conflict}
          onResolve={form.resolve}
          onClose={form.closeConflict}
        />
      )}
    </>
  );
}
