import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from '../button.tsx';

interface ModalProps {
  /** The name for assistive technology: the id of its heading, or a text. */
  labelledBy?: string;
  label?: string;
  className: string;
  children: ReactNode;
  /** Called by Escape, or a click beside it. The owner decides whether it goes away. */
  onClose: () => void;
}

/**
 * A modal dialog, shown above all as long as it is rendered. It is the dialog of the browser, which keeps the focus inside, makes
 * the rest inert, and gives the focus back.
 */
export function Modal({ labelledBy, label, className, children, onClose }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // It is closed before it leaves the page; afterwards it could not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The element that React focuses by `autoFocus` is not visible yet when it does.
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the cancel event.
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      aria-label={label}
      className={classNames('flex-col text-text backdrop:bg-black/50 open:flex', className)}
      onCancel={(event) => {
        // The cancel event of a file picker inside bubbles to here.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // A browser closes it by itself when Escape is pressed twice, whatever the owner decides.
        if (!currentTarget.open) currentTarget.showModal();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
