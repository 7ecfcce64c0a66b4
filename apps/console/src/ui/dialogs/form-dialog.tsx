import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react';
import { isUnauthenticated } from '../../api/client.ts';
import { signInTab, useIsSignedOut } from '../../api/session-end.ts';
import { Callout } from '../badge.tsx';
import { Button, buttonClasses } from '../button.tsx';
import { ErrorCallout } from '../error-text.tsx';
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

/**
 * A dialog with a form. It stays open with all that was typed after an error and when the session ends, and asks before it drops
 * what was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, look = 'primary', isDirty = false, isPending, error, errors } = props;
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
  return (
    <Dialog
      title={title}
      width={props.width ?? 'small'}
      initialFocus="form :is(input, select, textarea):enabled"
      onClose={close}
      footer={
        isAsking ? (
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
        )
      }
    >
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
    </Dialog>
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
