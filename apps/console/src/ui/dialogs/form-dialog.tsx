import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { isUnauthenticated } from '../../api/client.ts';
import { signInTab, useIsSignedOut } from '../../api/session-end.ts';
import { X } from '../../icons.tsx';
import { Callout } from '../badge.tsx';
import { Button, buttonClasses, IconButton } from '../button.tsx';
import { ErrorCallout } from '../error-text.tsx';
import { PANEL_TITLE, useCover } from '../side-panel.tsx';
import { Dialog } from './dialog.tsx';
import type { FormErrors } from './form-errors.ts';

interface FormDialogProps {
  title: ReactNode;
  submitLabel: ReactNode | undefined;
  look?: 'primary' | 'danger';
  isDirty?: boolean;
  isPending: boolean;
  error: Error | null;
  errors?: FormErrors;
  width?: 'small' | 'medium';
  footerStart?: ReactNode;
  isValidated?: boolean;
  children: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** In a dialog, because what is behind one cannot be used: how to sign in again without losing what was typed. */
function SignInAgain() {
  return (
    <Callout tone="warning" title={<Trans>You're signed out. Your input is kept.</Trans>}>
      <a className={buttonClasses('primary')} {...signInTab}>
        <Trans>Sign in</Trans>
      </a>
    </Callout>
  );
}

export function useLeaveWarning(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}

const FIRST_FIELD = 'form :is(input, select, textarea):enabled';

/**
 * The parts of a dialog or a panel with a form. It stays open with all that was typed after an error and when the session ends, and
 * asks before it drops what was typed.
 */
function useFormParts(props: FormDialogProps) {
  const { submitLabel, look = 'primary', isDirty = false, isPending, error, errors } = props;
  const { t } = useLingui();
  const [isAsking, setAsking] = useState(false);
  const isSignedOut = useIsSignedOut();
  const formId = useId();
  useLeaveWarning(isDirty);
  const close = () => (isDirty && !isAsking ? setAsking(true) : props.onClose());
  const isShown = error !== null && !isUnauthenticated(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setAsking(false);
    if (!isPending && submitLabel !== undefined) props.onSubmit();
  };
  const footer = isAsking ? (
    <>
      <p role="alert" className="me-auto self-center text-sm">
        <Trans>Discard what you typed?</Trans>
      </p>
      <Button onClick={() => setAsking(false)}>{t`Continue editing`}</Button>
      <Button look="danger" onClick={props.onClose}>{t`Discard`}</Button>
    </>
  ) : (
    <>
      {props.footerStart !== undefined && <div className="me-auto">{props.footerStart}</div>}
      <Button look="quiet" onClick={close}>
        {submitLabel === undefined ? t`Close` : t`Cancel`}
      </Button>
      {submitLabel !== undefined && (
        <Button type="submit" form={formId} look={look} disabled={isPending}>
          {submitLabel}
        </Button>
      )}
    </>
  );
  const form = (
    <form
      id={formId}
      noValidate={props.isValidated !== true}
      className="flex flex-col gap-5"
      onSubmit={submit}
    >
      {props.children}
      {isSignedOut && <SignInAgain />}
      {isShown && errors === undefined && <ErrorCallout error={error} />}
      {isShown && errors?.rest !== undefined && <Callout tone="danger" title={errors.rest} />}
    </form>
  );
  return { close, footer, form };
}

export function FormDialog(props: FormDialogProps) {
  const { title, width = 'small' } = props;
  const { close, footer, form } = useFormParts(props);
  return (
    <Dialog title={title} width={width} initialFocus={FIRST_FIELD} onClose={close} footer={footer}>
      {form}
    </Dialog>
  );
}

/** Beside a list, which stays in reach. */
export function FormPanel(props: FormDialogProps) {
  const { t } = useLingui();
  const { close, footer, form } = useFormParts(props);
  const section = useRef<HTMLElement>(null);
  useCover(section);
  useEffect(() => section.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus(), []);
  return (
    <section
      ref={section}
      aria-labelledby={PANEL_TITLE}
      className="absolute inset-0 z-10 flex min-h-0 flex-col bg-surface lg:static lg:z-auto lg:w-120 lg:border-line lg:border-s"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <header className="flex min-h-14 items-center gap-3 ps-6 pe-4">
        <h2 id={PANEL_TITLE} tabIndex={-1} className="min-w-0 grow font-semibold text-lg">
          {props.title}
        </h2>
        <IconButton label={t`Close`} onClick={close}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 grow overflow-y-auto px-6 pt-2 pb-6">{form}</div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken px-6 py-3">
        {footer}
      </footer>
    </section>
  );
}

interface ConfirmDialogProps {
  title: string;
  confirmLabel: string;
  children: ReactNode;
  /** Does it. The dialog stays open with the error if it fails. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

export function ConfirmDialog({ title, confirmLabel, children, onConfirm, onClose }: ConfirmDialogProps) {
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      look="danger"
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2 text-sm">{children}</div>
    </FormDialog>
  );
}
