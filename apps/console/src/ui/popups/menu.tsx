import type { ReactNode } from 'react';
import { lazyComponent } from '../browser/lazy-components.ts';
import type { ButtonProps } from '../button.tsx';
import type { MenuItem } from './menu-popup.tsx';
import { PopupButton } from './popup-button.tsx';

const MenuPopup = lazyComponent(() => import('./menu-popup.tsx'), 'MenuPopup');

interface MenuProps extends Omit<ButtonProps, 'children'> {
  trigger: ReactNode;
  label: string;
  items: readonly MenuItem[];
  isSearched?: boolean;
}

/** A button with a menu of actions (ARIA menu button pattern). */
export function Menu({ items, isSearched, ...button }: MenuProps) {
  return (
    <PopupButton kind="menu" preload={MenuPopup.preload} {...button}>
      {(popup) => <MenuPopup items={items} isSearched={isSearched} {...popup} />}
    </PopupButton>
  );
}
