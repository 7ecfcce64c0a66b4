'use no memo';

import {
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, type ButtonProps } from '../button.tsx';
import { type HeldKeys, holdKeys } from './held-keys.ts';

/** Props that a popup gets from its button. */
interface OpenPopup {
  id: string;
  label: string;
  opener: RefObject<HTMLButtonElement | null>;
  /** Gives what was typed meanwhile to the control that has the focus now. */
  onReady: (control: HTMLElement) => void;
  onClose: () => void;
}

interface PopupButtonProps extends Omit<ButtonProps, 'children'> {
  kind: 'menu' | 'dialog';
  trigger: ReactNode;
  label: string;
  /** Loads the popup: called when someone is about to open it. */
  preload: () => Promise<unknown>;
  /** Called while it is open. */
  children: (popup: OpenPopup) => ReactNode;
}

/**
 * A button with a popup that opens at it. The button is there with the view; the popup is loaded when someone is about to open it, and
 * gets what was typed before it was there.
 */
export function PopupButton({ kind, trigger, label, preload, children, ...button }: PopupButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const held = useRef<HeldKeys>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The button gets the focus back, unless something in the popup has given it to what it has opened.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => () => held.current?.end(), []);
  const load = () => void preload();
  const close = () => {
    held.current?.end();
    setOpen(false);
  };
  const open = () => {
    held.current?.end();
    held.current = holdKeys({ onGiveUp: (isLate) => isLate || close() });
    setOpen(true);
  };
  const onReady = (control: HTMLElement) => held.current?.giveTo(control);
  return (
    <>
      <Button
        ref={opener}
        aria-haspopup={kind}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        data-tooltip={label}
        onPointerEnter={load}
        onFocus={load}
        onClick={isOpen ? close : open}
        onKeyDown={(event) => {
          if (kind !== 'menu' || event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
        {...button}
      >
        {trigger}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>{children({ id, label, opener, onReady, onClose: close })}</Suspense>
      )}
    </>
  );
}
