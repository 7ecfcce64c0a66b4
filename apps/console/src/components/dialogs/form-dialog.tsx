import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type SubmitEvent, useEffect, useId, useState } from 'react';
import { isUnauthenticated } from '../../api/client.ts';
import { signInTab, useIsSignedOut } from '../../api/session-end.ts';
import { Callout } from '../badge.tsx';
import { Button, buttonClasses } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import type { FormErrors } from './form-errors.ts';

interface FormDialogProps {
  title: string;
  submitLabel: string;
  /** The look of the button that submits. */
  look?: 'primary' | 'danger';
  /** Whether something was typed that closing would lose. */
  isDirty?: boolean;
  isPending: boolean;
  /** The error of the last attempt. */
  error: Error | null;
  errors?: FormErrors;
  width?: 'small' | 'medium' | 'large';
  children: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** In a dialog, because what is behind one cannot be used: how to sign in again without losing what was typed. */
function SignInAgain() {
  return (
    <Callout tone="warning" title={<Trans>You are signed out. What you typed stays here.</Trans>}>
      <a className={buttonClasses('primary')} {...signInTab}>
        <Trans>Sign in</Trans>
      </a>
    </Callout>
  );
}

/** Asks before the page is left with what was typed. */
function useLeaveWarning(isDirty: boolean): void {
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
  const rest = errors === undefined ? error?.message : errors.rest;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setAsking(false);
    if (!isPending) props.onSubmit();
  };
  return (
    <Dialog
      title={title}
      width={props.width ?? 'small'}
      initialFocus="form :is(input, select, textarea)"
      onClose={close}
      footer={
        isAsking ? (
          <>
            <p role="alert" className="me-auto self-center text-sm">
              <Trans>Discard what you typed?</Trans>
            </p>
            <Button onClick={() => setAsking(false)}>{t`Keep editing`}</Button>
            <Button look="danger" onClick={props.onClose}>{t`Discard`}</Button>
          </>
        ) : (
          <>
            <Button onClick={close}>{t`Cancel`}</Button>
            <Button type="submit" form={formId} look={look} disabled={isPending}>
              {submitLabel}
            </Button>
          </>
        )
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {props.children}
        {isSignedOut && <SignInAgain />}
        {rest !== undefined && !isUnauthenticated(error) && <Callout tone="danger" title={rest} />}
      </form>
    </Dialog>
  );
}
