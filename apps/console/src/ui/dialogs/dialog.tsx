import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import { X } from '../../icons.tsx';
import { classNames, IconButton } from '../button.tsx';
import { Modal } from './modal.tsx';

const widths = { small: 'sm:max-w-[30rem]', medium: 'sm:max-w-[37.5rem]' } as const;

export interface DialogProps {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  width?: keyof typeof widths;
  /** A selector of what has the focus first; the close button unless given. */
  initialFocus?: string;
  /** Called by Escape, the close button, or a click beside the dialog. The owner decides whether it goes away. */
  onClose: () => void;
}

export function Dialog({ title, children, footer, width = 'medium', initialFocus, onClose }: DialogProps) {
  const { t } = useLingui();
  const titleId = useId();
  return (
    <Modal
      labelledBy={titleId}
      className={classNames(
        'm-0 h-dvh max-h-dvh w-dvw max-w-full',
        'sm:m-auto sm:h-fit sm:max-h-[90dvh] sm:w-full sm:rounded-lg sm:shadow-lg',
        widths[width],
      )}
      initialFocus={initialFocus}
      onClose={onClose}
    >
      <header className="flex items-center gap-3 pt-5 ps-6 pe-4 pb-1">
        <h2 id={titleId} className="min-w-0 grow font-semibold text-lg">
          {title}
        </h2>
        <IconButton label={t`Close`} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="grow overflow-y-auto px-6 pt-3 pb-6">{children}</div>
      {footer !== undefined && (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-sunken px-6 py-3">
          {footer}
        </footer>
      )}
    </Modal>
  );
}
