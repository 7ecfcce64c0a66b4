import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames, IconButton } from '../button.tsx';
import { Modal } from './modal.tsx';

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-2xl', large: 'sm:max-w-5xl' } as const;

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
        'm-0 h-dvh max-h-dvh w-dvw max-w-full bg-raised',
        'sm:m-auto sm:h-fit sm:max-h-[90dvh] sm:w-full sm:rounded-xl sm:border sm:border-line sm:shadow-2xl',
        widths[width],
      )}
      initialFocus={initialFocus}
      onClose={onClose}
    >
      <header className="flex items-center gap-3 border-line border-b px-5 py-3">
        <h2 id={titleId} className="min-w-0 grow font-semibold text-lg">
          {title}
        </h2>
        <IconButton label={t`Close`} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="grow overflow-y-auto px-5 py-4">{children}</div>
      {footer !== undefined && (
        <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">{footer}</footer>
      )}
    </Modal>
  );
}
