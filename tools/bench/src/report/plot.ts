import type { Spread } from '../../../harness/src/statistics.ts';

/** A bar of a plot. */
export interface Bar {
  label: string;
  value: Spread;
  isOurs: boolean;
}

const WIDTH = 860;
const LABEL_WIDTH = 170;
const BAR_HEIGHT = 18;
const ROW_HEIGHT = 28;
const TOP = 44;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function barSvg({ label, value, isOurs }: Bar, index: number, scale: (value: number) => number): string {
  const y = TOP + index * ROW_HEIGHT;
  const middle = y + BAR_HEIGHT / 2;
  const [low, end, high] = [scale(value.low), scale(value.median), scale(value.high)];
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escaped(label)}</text>`,
    `<rect x="${LABEL_WIDTH}" y="${y}" width="${(end - LABEL_WIDTH).toFixed(1)}" height="${BAR_HEIGHT}" class="${isOurs ? 'ours' : 'peer'}"/>`,
    `<path d="M${low.toFixed(1)} ${middle}H${high.toFixed(1)}M${low.toFixed(1)} ${middle - 4}v8M${high.toFixed(1)} ${middle - 4}v8" class="whisker"/>`,
    `<text x="${(Math.max(end, high) + 6).toFixed(1)}" y="${middle + 4}">${Math.round(value.median).toLocaleString('en-US')}</text>`,
  ].join('\n');
}

/** Horizontal bars of the medians, with whiskers between the quartiles. Legible on light and dark pages. */
export function barPlot({ title, unit, bars }: { title: string; unit: string; bars: Bar[] }): string {
  const most = Math.max(...bars.map(({ value }) => value.high));
  const scale = (value: number) => LABEL_WIDTH + (value / most) * (WIDTH - LABEL_WIDTH - 80);
  const height = TOP + bars.length * ROW_HEIGHT + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>${escaped(title)}, ${escaped(unit)}</title>
<style>
.page { fill: #fff } text { fill: #24292f } .ours { fill: #2563eb } .peer { fill: #94a3b8 } .whisker { stroke: #24292f; fill: none }
@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } .whisker { stroke: #e6edf3 } }
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text x="12" y="24" font-size="15" font-weight="600">${escaped(title)}</text>
<text x="${WIDTH - 12}" y="24" text-anchor="end">${escaped(unit)}</text>
${bars.map((bar, index) => barSvg(bar, index, scale)).join('\n')}
</svg>
`;
}
