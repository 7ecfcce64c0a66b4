import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ticksUpTo } from './series.ts';

const HEIGHT = 200;
const BOTTOM = 24;
const START = 44;
const TOP = 8;
/** The greatest width of the name of a month, in pixels. */
const LABEL = 84;

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width: Math.max(width, 200) };
}

export interface MonthSlot {
  /** From the start of the chart, in pixels. */
  x: number;
  width: number;
  /** The height of a value above the bottom line: where it is, in pixels from the top. */
  y: (value: number) => number;
}

interface MonthChartProps {
  label: string;
  months: readonly string[];
  max: number;
  describe: (index: number) => string;
  draw: (index: number, slot: MonthSlot) => ReactNode;
  drawAll?: (slots: readonly MonthSlot[]) => ReactNode;
}

/**
 * A chart by month. Its months are reached with the arrow keys, and each says its values; the one with the focus or the pointer
 * is written out below.
 */
export function MonthChart({ label, months, max, describe, draw, drawAll }: MonthChartProps) {
  const { i18n } = useLingui();
  const { element, width } = useWidth();
  const [current, setCurrent] = useState(months.length - 1);
  const chart = useRef<SVGSVGElement>(null);
  const ticks = ticksUpTo(max);
  const top = ticks.at(-1) ?? 1;
  const slotWidth = (width - START) / months.length;
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const slots = months.map((_, index): MonthSlot => ({ x: START + index * slotWidth, width: slotWidth, y }));
  // A month is read, and does nothing: one of them can be reached by Tab, the others from it.
  const month = (index: number) => ({
    role: 'img',
    'aria-label': describe(index),
    tabIndex: index === current ? 0 : -1,
    onFocus: () => setCurrent(index),
    onPointerEnter: () => setCurrent(index),
  });
  const labelEvery = Math.ceil(LABEL / slotWidth);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: months.length - 1 }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(next, months.length - 1));
    chart.current?.querySelectorAll<SVGElement>('[role=img]')[index]?.focus();
  };
  return (
    <div ref={element} dir="ltr">
      <svg
        ref={chart}
        width={width}
        height={HEIGHT}
        className="block text-muted text-xs"
        onKeyDown={onKeyDown}
      >
        <title>{label}</title>
        {ticks.map((tick) => (
          <g key={tick} aria-hidden>
            <line x1={START} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={START - 8} y={y(tick) + 4} textAnchor="end" className="fill-muted">
              {i18n.number(tick, { notation: 'compact' })}
            </text>
          </g>
        ))}
        {slots.map((slot, index) => (
          <g key={months[index]} {...month(index)} className="group outline-none">
            <rect
              x={slot.x}
              y={TOP}
              width={slot.width}
              height={HEIGHT - TOP - BOTTOM}
              rx={3}
              className={`group-focus-visible:stroke-2 group-focus-visible:stroke-accent ${index === current ? 'fill-hover' : 'fill-transparent'}`}
            />
            {draw(index, slot)}
            {(months.length - 1 - index) % labelEvery === 0 && (
              <text
                aria-hidden
                x={slot.x + slot.width / 2}
                y={HEIGHT - 6}
                textAnchor={index === months.length - 1 && slotWidth < 40 ? 'end' : 'middle'}
                className="fill-muted"
              >
                {i18n.date(`${months[index]}-01T00:00:00Z`, {
                  month: 'short',
                  year: '2-digit',
                  timeZone: 'UTC',
                })}
              </text>
            )}
          </g>
        ))}
        <g aria-hidden className="pointer-events-none">
          {drawAll?.(slots)}
        </g>
      </svg>
      <p aria-hidden className="pt-1 text-sm">
        {describe(current)}
      </p>
    </div>
  );
}
