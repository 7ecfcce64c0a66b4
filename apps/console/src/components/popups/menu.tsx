import { type ReactNode, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { lazyComponent } from '../../page/lazy-components.ts';
import { Button, type ButtonProps } from '../button.tsx';
import type { MenuItem } from './menu-popup.tsx';

const MenuPopup = lazyComponent(() => import('./menu-popup.tsx'), 'MenuPopup');

interface MenuProps extends Omit<ButtonProps, 'children'> {
  /** The content of the button. */
  trigger: ReactNode;
  /** The name of the button and the menu for assistive technology. */
  label: string;
  items: readonly MenuItem[];
  /** Whether the items are found by what one types. */
  isSearched?: boolean;
}

/**
 * A button with a menu of actions (ARIA menu button pattern). The button is there with the view; the menu is loaded when someone is
 * about to open it.
 */
export function Menu({ trigger, label, items, isSearched, ...button }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The button gets the focus back, unless an item has given it to what it has opened.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const preload = () => void MenuPopup.preload();
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
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
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
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
