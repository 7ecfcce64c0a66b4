import { type ReactNode, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent } from '../browser/lazy-components.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { type HeldKeys, holdKeys } from './held-keys.ts';

const PopoverPopup = lazyComponent(() => import('./popover-popup.tsx'), 'PopoverPopup');

interface PopoverProps extends Omit<ButtonProps, 'children'> {
  trigger: ReactNode;
  label: string;
  /** The width of what opens, as a class. */
  width?: string;
  /** Called while it is open. */
  children: (close: () => void) => ReactNode;
}

/**
 * A button with a panel of controls that opens at it. The button is there with the view; the panel is loaded when someone is about to
 * open it, and gets what was typed before it was there.
 */
export function Popover({ trigger, label, width, children, ...button }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const held = useRef<HeldKeys>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => () => held.current?.end(), []);
  const preload = () => void PopoverPopup.preload();
  const close = () => {
    held.current?.end();
    setOpen(false);
  };
  const open = () => {
    held.current?.end();
    held.current = holdKeys({ onGiveUp: (isLate) => isLate || close() });
    setOpen(true);
  };
  return (
    <>
      <Button
        ref={opener}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        data-tooltip={label}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={isOpen ? close : open}
        {...button}
      >
        {trigger}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PopoverPopup
            id={id}
            label={label}
            opener={opener}
            width={width}
            onReady={(control) => held.current?.giveTo(control)}
            onClose={close}
          >
            {children(close)}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  );
}
