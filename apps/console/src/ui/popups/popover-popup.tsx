import { Popover } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useRef } from 'react';
import { classNames, popupClasses } from '../button.tsx';

interface PopoverPopupProps {
  id?: string;
  label: string;
  opener: RefObject<HTMLElement | null>;
  width?: string | undefined;
  onReady?: (control: HTMLElement) => void;
  onClose: () => void;
  children: ReactNode;
}

/** The control that gets the focus instead of a button that has gone. */
const FALLBACK = '[data-add-filter]';
const FIRST = 'input:enabled, [role=combobox]:enabled, button:enabled';
/** A field to fill in comes before a choice in the heading, such as the operator of a filter. */
const FIRST_FIELD = 'form :is(input:enabled, textarea:enabled, [role=combobox]:enabled)';

/** A panel of controls at its button. Its first field has the focus; Escape and a press elsewhere close it. */
export function PopoverPopup(props: PopoverPopupProps) {
  const { id, label, opener, width = 'w-72', onReady, onClose, children } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason, event }) => {
        // A click on its button closes it by itself.
        const isOwn = event.target instanceof Node && opener.current?.contains(event.target);
        if (reason === 'outside-press' && isOwn) return;
        onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={opener}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Popover.Popup
            ref={popup}
            id={id}
            aria-label={label}
            initialFocus={() => {
              const control = [FIRST_FIELD, FIRST]
                .map((selector) => popup.current?.querySelector<HTMLElement>(selector))
                .find((found) => found != null);
              // Not before it has the focus, which what was typed is for.
              if (control && onReady) queueMicrotask(() => onReady(control));
              return control ?? true;
            }}
            // The button may have gone with what it was for.
            finalFocus={() =>
              opener.current?.isConnected
                ? opener.current
                : (document.querySelector<HTMLElement>(FALLBACK) ?? true)
            }
            className={classNames(
              'flex max-h-[min(var(--available-height),33rem)]! max-w-[calc(100vw-1rem)] flex-col',
              width,
              popupClasses,
            )}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
