import { type ReactNode, Suspense, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent } from '../browser/lazy-components.ts';
import { Button, type ButtonProps } from '../button.tsx';
import { type HeldKeys, holdKeys } from './held-keys.ts';
import type { MenuItem } from './menu-popup.tsx';

const MenuPopup = lazyComponent(() => import('./menu-popup.tsx'), 'MenuPopup');

interface MenuProps extends Omit<ButtonProps, 'children'> {
  trigger: ReactNode;
  label: string;
  items: readonly MenuItem[];
  isSearched?: boolean;
}

/**
 * A button with a menu of actions (ARIA menu button pattern). The button is there with the view; the menu is loaded when someone is
 * about to open it, and gets what was typed before it was there.
 */
export function Menu({ trigger, label, items, isSearched, ...button }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const held = useRef<HeldKeys>(undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The button gets the focus back, unless an item has given it to what it has opened.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => () => held.current?.end(), []);
  const preload = () => void MenuPopup.preload();
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
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        data-tooltip={label}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={isOpen ? close : open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
        {...button}
      >
        {trigger}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopup
            id={id}
            label={label}
            opener={opener}
            items={items}
            isSearched={isSearched}
            onReady={(control) => held.current?.giveTo(control)}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
