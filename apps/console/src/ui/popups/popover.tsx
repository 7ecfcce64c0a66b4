import type { ReactNode } from 'react';
import { lazyComponent } from '../browser/lazy-components.ts';
import type { ButtonProps } from '../button.tsx';
import { PopupButton } from './popup-button.tsx';

const PopoverPopup = lazyComponent(() => import('./popover-popup.tsx'), 'PopoverPopup');

interface PopoverProps extends Omit<ButtonProps, 'children'> {
  trigger: ReactNode;
  label: string;
  /** The width of what opens, as a class. */
  width?: string;
  /** Called while it is open. */
  children: (close: () => void) => ReactNode;
}

/** A button with a panel of controls that opens at it. */
export function Popover({ width, children, ...button }: PopoverProps) {
  return (
    <PopupButton kind="dialog" preload={PopoverPopup.preload} {...button}>
      {(popup) => (
        <PopoverPopup width={width} {...popup}>
          {children(popup.onClose)}
        </PopoverPopup>
      )}
    </PopupButton>
  );
}
