import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useEffect, useId, useState } from 'react';

/** The time for which the pointer rests on something before its tooltip is shown, in milliseconds. */
const HOVER_MS = 500;

/** The parts of the page in which assistive technology expects all content; a tooltip is shown inside that of its element. */
const LANDMARKS = '[data-modal], main, header, nav';
const CUT = '.truncate, .line-clamp-2';
const CONTROLS = 'a, button, [role=gridcell], [role=columnheader]';

interface Explained {
  anchor: HTMLElement;
  text: string;
}

const isCut = (element: HTMLElement) =>
  element.scrollWidth > element.clientWidth ||
  (element.matches('.line-clamp-2') && element.scrollHeight > element.clientHeight);

/** The tooltip of an element: what `data-tooltip` says, or the whole text where there is room for its beginning only. */
function explain(element: HTMLElement | null | undefined): Explained | undefined {
  if (!element) return undefined;
  const { tooltip } = element.dataset;
  if (tooltip !== undefined) return { anchor: element, text: tooltip };
  return isCut(element) ? { anchor: element, text: element.textContent } : undefined;
}

const explainAround = (target: Element) => explain(target.closest<HTMLElement>(`[data-tooltip], ${CUT}`));

function explainFocused(target: Element): Explained | undefined {
  if (!target.matches(':focus-visible')) return undefined;
  const inside = target.matches(CONTROLS) && target.querySelector<HTMLElement>(`[data-tooltip], ${CUT}`);
  return explainAround(target) ?? explain(inside || undefined);
}

const saysMore = ({ anchor, text }: Explained) =>
  text !== anchor.getAttribute('aria-label') && text !== anchor.textContent.trim() && !isCut(anchor);

function listen(show: (explained: Explained | undefined) => void, signal: AbortSignal): void {
  let hovered: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const change = (next?: Explained, delayMs = 0) => {
    clearTimeout(timer);
    if (next === undefined || delayMs > 0) show(undefined);
    if (next !== undefined) timer = setTimeout(() => show(next), delayMs);
  };
  const on = <Type extends keyof DocumentEventMap>(
    type: Type,
    run: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, run, { capture: true, signal });
  // The pointer may go to the tooltip itself, to read or copy it.
  const isTooltip = (target: EventTarget | null) =>
    target instanceof Element && target.closest('[role=tooltip]') !== null;
  on('pointerover', ({ target, pointerType }) => {
    // A finger shows none: what is only in a tooltip is in a view of its own, too.
    if (pointerType === 'touch' || !(target instanceof Element) || isTooltip(target)) return;
    const next = explainAround(target);
    if (next?.anchor === hovered) return;
    hovered = next?.anchor;
    change(next, HOVER_MS);
  });
  on('focusin', ({ target }) => change(target instanceof Element ? explainFocused(target) : undefined));
  on('focusout', () => change());
  on('pointerdown', ({ target }) => isTooltip(target) || change());
  on('keydown', ({ key }) => ['Escape', 'Enter', ' '].includes(key) && change());
  on('scroll', () => change());
  const focused = document.activeElement;
  if (focused !== null) change(explainFocused(focused));
}

/** The tooltip of an element, which it describes unless the element has the same name. */
function Popup({ explained, onClose }: { explained: Explained; onClose: () => void }) {
  const id = useId();
  const { anchor, text } = explained;
  useEffect(() => {
    if (!saysMore(explained)) return;
    anchor.setAttribute('aria-describedby', id);
    return () => anchor.removeAttribute('aria-describedby');
  }, [anchor, explained, id]);
  return (
    <Base.Root
      open
      onOpenChange={(_, details) => {
        // Escape closes the dialog around it as well.
        details.cancel();
        details.allowPropagation();
        onClose();
      }}
    >
      <Base.Portal
        container={anchor.closest<HTMLElement>(LANDMARKS) ?? document.querySelector('main')}
        className="absolute"
      >
        <Base.Positioner
          anchor={anchor}
          positionMethod="fixed"
          side="bottom"
          // The way from the element to the tooltip is part of it.
          className="z-60 py-1.5 data-anchor-hidden:hidden print:hidden"
        >
          <Base.Popup
            id={id}
            role="tooltip"
            className="wrap-anywhere w-max max-w-[min(24rem,90vw)] whitespace-pre-line rounded-sm bg-text px-2 py-1 font-normal text-page text-xs leading-4 shadow-md"
          >
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * The tooltip of the page: one at most, of what the pointer rests on or the keyboard has reached. Elements have `data-tooltip` for it;
 * text that is cut needs nothing. Rendered once.
 */
export function Tooltip() {
  const [{ shown, count }, setShown] = useState<{ shown?: Explained | undefined; count: number }>({
    count: 0,
  });
  useEffect(() => {
    const controller = new AbortController();
    listen((next) => setShown(({ count }) => ({ shown: next, count: count + 1 })), controller.signal);
    return () => controller.abort();
  }, []);
  if (shown === undefined) return null;
  return <Popup key={count} explained={shown} onClose={() => setShown({ count })} />;
}
