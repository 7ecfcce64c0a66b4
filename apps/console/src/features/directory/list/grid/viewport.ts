import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

export const RENDERED_MAX = 60;
/** Rows beside those on the screen, so that the first frame of a scroll is not empty. */
const OVERSCAN = 6;
/** The range changes in steps of so many rows: fewer renders while scrolling. */
const STEP = 3;
/** A list that is not as wide shows cards. */
const WIDE_PX = 640;

export interface Viewport {
  first: number;
  last: number;
  /** The rows to render: from start to before end. */
  start: number;
  end: number;
  /** In pixels; 0 until it is known. */
  width: number;
  isNarrow: boolean;
}

export function rowsAt({
  scrollTop,
  height,
  rowHeight,
  rowCount,
  overscanMax = OVERSCAN,
}: Record<'scrollTop' | 'height' | 'rowHeight' | 'rowCount', number> & {
  overscanMax?: number;
}): Omit<Viewport, 'width' | 'isNarrow'> {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight), rowCount - 1));
  const visible = Math.min(Math.ceil(height / rowHeight) + 1, RENDERED_MAX - 2);
  const last = Math.max(first, Math.min(first + visible, rowCount) - 1);
  // One element is for the row with the focus, wherever it is.
  const overscan = Math.min(overscanMax, Math.floor((RENDERED_MAX - 1 - visible - STEP) / 2));
  const start = Math.max(0, Math.floor((first - Math.max(0, overscan)) / STEP) * STEP);
  const end = Math.min(
    rowCount,
    start + Math.min(visible + 2 * Math.max(0, overscan) + STEP, RENDERED_MAX - 1),
  );
  return { first, last, start, end };
}

const isSame = (a: Viewport, b: Viewport) =>
  a.start === b.start && a.end === b.end && a.width === b.width && a.isNarrow === b.isNarrow;

/**
 * Runs what takes long once the next frame is painted, so that what was pressed is seen to be pressed at once.
 * @returns does not run it, if it has not run yet
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/**
 * Follows what is on the screen of an element that scrolls.
 *
 * @param rowHeight of a wide and of a narrow list, in pixels
 * @param onShow called when other rows are on the screen
 */
export function useViewport(
  scroller: RefObject<HTMLElement | null>,
  {
    rowHeight,
    rowCount,
    onShow,
  }: {
    rowHeight: (isNarrow: boolean) => number;
    rowCount: number;
    onShow: (first: number, last: number) => void;
  },
) {
  const [viewport, setViewport] = useState<Viewport>({
    first: 0,
    last: 0,
    start: 0,
    end: 0,
    width: 0,
    isNarrow: false,
  });
  // Sizes are read when they change: reading them after each render would lay the page out twice.
  const size = useRef({ width: 0, height: 0 });
  // The first rows are painted sooner without those that nobody sees yet.
  const isPainted = useRef(false);
  const measure = () => {
    const element = scroller.current;
    if (element === null) return;
    const { width, height } = size.current;
    const isNarrow = width < WIDE_PX;
    // Until they are rendered with the other height, it scrolls over rows of the height before.
    const scrollTop = (element.scrollTop / rowHeight(viewport.isNarrow)) * rowHeight(isNarrow);
    const overscanMax = isPainted.current ? OVERSCAN : 0;
    const shape = { scrollTop, height, rowHeight: rowHeight(isNarrow), rowCount, overscanMax };
    const next = { ...rowsAt(shape), width, isNarrow };
    onShow(next.first, next.last);
    setViewport((before) => (isSame(before, next) ? before : next));
  };
  const onResize = useEffectEvent((element: HTMLElement) => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width === size.current.width && height === size.current.height) return;
    size.current = { width, height };
    measure();
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    onResize(element);
    const observer = new ResizeObserver(() => onResize(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  useLayoutEffect(measure, [rowCount]);
  const onPainted = useEffectEvent(() => {
    isPainted.current = true;
    measure();
  });
  useEffect(() => afterPaint(onPainted), []);
  return { viewport, measure };
}
