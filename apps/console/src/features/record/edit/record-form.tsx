import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { queryClient } from '../../../api/client.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { type DirectoryRecord, nameOf } from '../../../resources/record.ts';
import { recordQuery } from '../../../resources/record-calls.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button, classNames } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { notify } from '../../../ui/notices.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { pathLabel } from '../../fields/field-labels.ts';
import { recordPath } from '../record-context.ts';
import { LookAlikes } from './look-alikes.tsx';
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
    if (Object.keys(form.draft.current()).length === 0) return;
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
    const before = form.discard();
    const name = record === undefined ? '' : nameOf(record);
    notify({
      text: record === undefined ? t`New record discarded` : t`Changes to ${name} discarded`,
      action: {
        label: t`Undo`,
        run: () => {
          draft.setFields(before);
          open();
        },
      },
    });
  };
}

/** Says that a draft was there when the form was opened, and if the browser has no space for one. */
function DraftLine({ form: { draft, changed, discard } }: { form: RecordForm }) {
  const [isRestored] = useState(changed.length > 0);
  return (
    <>
      {isRestored && changed.length > 0 && draft.savedAt !== undefined && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <span className="grow">
            <Trans>
              Unsaved draft from <RelativeTime time={new Date(draft.savedAt).toISOString()} />
            </Trans>
            {': '}
            <Plural value={changed.length} one="# unsaved field" other="# unsaved fields" />
          </span>
          <Button look="destructive" onClick={discard}>
            <Trans>Discard the draft</Trans>
          </Button>
        </p>
      )}
      {!draft.isKept && (
        <p role="alert" className="text-danger text-sm">
          <Trans>This browser has no space for drafts. Save before you leave the page.</Trans>
        </p>
      )}
    </>
  );
}

/** The box of an error of no field of the form. */
function Failures({ resource, form }: { resource: ResourceName; form: RecordForm }) {
  const { i18n } = useLingui();
  const { elsewhere, error } = form.failure;
  const isOffline = error instanceof RosterError && error.code === 'network';
  if (error === null && elsewhere.length === 0) return null;
  return (
    <div data-problem tabIndex={-1} className="rounded-md">
      {error !== null && <ErrorBox error={error} />}
      {isOffline && (
        <p className="px-4 text-sm">
          <Trans>
            Your changes are kept. Save again when the server is available; they won't be applied twice.
          </Trans>
        </p>
      )}
      {elsewhere.length > 0 && (
        <Callout tone="danger" title={<Trans>Not saved: some fields need correcting</Trans>}>
          <ul className="list-inside list-disc">
            {elsewhere.map(({ path, text }) => (
              <li key={path.join('.') + text}>
                {path[0] === '' ? '' : `${pathLabel(i18n, resource, path.join('.'))} `}
                {text}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  );
}

interface RecordFormFrameProps {
  resource: ResourceName;
  record: DirectoryRecord | undefined;
  form: RecordForm;
  label: string;
  saveLabel: ReactNode;
  /** A note before the buttons of a form of one line, in which Escape keeps the draft; undefined of larger forms. */
  note?: ReactNode;
  /** Called to close the form; what differs from the record is kept as a draft. */
  onClose: () => void;
  children: ReactNode;
}

/**
 * The frame of all forms of a record: the draft, and saving by Enter or Ctrl S, which leads to the first problem. Escape closes it and
 * keeps the draft.
 */
export function RecordFormFrame({
  resource,
  record,
  form,
  label,
  saveLabel,
  note,
  onClose,
  children,
}: RecordFormFrameProps) {
  const element = useRef<HTMLFormElement>(null);
  useKeptNotice(resource, record, form);
  const discard = useDiscard(resource, record, form);
  const { isSaving, changed, lookAlikes, attempts } = form;
  useEffect(() => {
    if (attempts > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-problem]')?.focus();
  }, [attempts]);
  const saveText =
    lookAlikes.length > 0 ? (
      <Trans>Create anyway</Trans>
    ) : record === undefined || changed.length === 0 || note !== undefined ? (
      saveLabel
    ) : (
      <Plural value={changed.length} one="Save # change" other="Save # changes" />
    );
  const size = note === undefined ? 'medium' : 'small';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void form.save();
  };
  return (
    <FormProvider {...form.methods}>
      <form
        ref={element}
        noValidate
        aria-label={label}
        className={classNames('flex w-full min-w-0 flex-col', note === undefined ? 'gap-4 py-2' : 'gap-2')}
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
          } else if (event.key === 'Escape' && !event.defaultPrevented) {
            event.preventDefault();
            onClose();
          }
        }}
      >
        <Failures resource={resource} form={form} />
        <DraftLine form={form} />
        {children}
        <LookAlikes resource={resource} found={lookAlikes} />
        <div
          className={classNames(
            'flex flex-wrap items-center gap-2',
            note === undefined ? 'sticky bottom-0 bg-surface py-2' : 'flex-row-reverse',
          )}
        >
          <Button type="submit" look="primary" size={size} aria-disabled={isSaving}>
            {isSaving ? <Trans>Saving…</Trans> : saveText}
          </Button>
          <Button
            size={size}
            look={note === undefined ? 'secondary' : 'quiet'}
            onClick={() => {
              discard();
              onClose();
            }}
          >
            <Trans>Cancel</Trans>
          </Button>
          {note === undefined && changed.length > 0 && (
            <Button onClick={onClose}>
              <Trans>Close, keep draft</Trans>
            </Button>
          )}
          {note !== undefined && <span className="me-auto min-w-0 text-muted text-xs">{note}</span>}
        </div>
      </form>
    </FormProvider>
  );
}
