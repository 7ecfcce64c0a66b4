import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classNames } from '../button.tsx';

interface ModalProps {
  labelledBy?: string;
  label?: string;
  className: string;
  children: ReactNode;
  initialFocus?: string | undefined;
  onClose: () => void;
}

/**
 * A modal dialog, shown above all as long as it is rendered. The focus stays inside and returns to what opened it; the rest cannot
 * be used. What a shortcut or a copy must know finds it by `data-modal`.
 */
export function Modal({ labelledBy, label, className, children, initialFocus, onClose }: ModalProps) {
  const popup = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
  }, []);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop
          forceRender
          className="fixed inset-0 z-40 bg-scrim transition-opacity duration-160 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Dialog.Popup
          ref={popup}
          data-modal
          aria-labelledby={labelledBy}
          aria-label={label}
          initialFocus={() => {
            const wanted = initialFocus && popup.current?.querySelector<HTMLElement>(initialFocus);
            return wanted || true;
          }}
          finalFocus={() => (opener.current?.isConnected ? opener.current : true)}
          className={classNames(
            'floating fixed inset-0 z-40 flex flex-col overflow-hidden bg-raised text-text outline-none',
            className,
          )}
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
