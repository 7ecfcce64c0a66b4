import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { Figure } from '../accessible-chart.tsx';
import { MonthChart } from '../month-chart.tsx';
import type { MonthPoint } from '../series.ts';

function useMonthName(): (month: string) => string {
  const { i18n } = useLingui();
  return (month) => i18n.date(`${month}-01T00:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

export function AgentsOverTime({ points }: { points: readonly MonthPoint[] }) {
  const { t, i18n } = useLingui();
  const nameOf = useMonthName();
  const title = t`Active agents over time`;
  const describe = ({ month, total }: MonthPoint) => t`${nameOf(month)}: ${i18n.number(total)} agents`;
  return (
    <Figure
      title={title}
      table={{
        heads: [t`Month`, t`Agents`],
        rows: points
          .toReversed()
          .map(({ month, total }) => ({ id: month, cells: [nameOf(month), i18n.number(total)] })),
      }}
    >
      <MonthChart
        label={title}
        months={points.map(({ month }) => month)}
        max={Math.max(...points.map(({ total }) => total))}
        describe={(index) => describe(points[index] as MonthPoint)}
        drawAll={(slots) => (
          <polyline
            aria-hidden
            points={slots
              .map(({ x, width, y }, index) => `${x + width / 2},${y(points[index]?.total ?? 0)}`)
              .join(' ')}
            className="fill-none stroke-2 stroke-accent"
          />
        )}
        draw={(index, { x, width, y }) => (
          <circle cx={x + width / 2} cy={y(points[index]?.total ?? 0)} r={3} className="fill-accent" />
        )}
      />
    </Figure>
  );
}

export function JoiningAndLeaving({ points }: { points: readonly MonthPoint[] }) {
  const { t, i18n } = useLingui();
  const nameOf = useMonthName();
  const pattern = useId();
  const title = t`Joining and leaving`;
  const describe = ({ month, joined, left }: MonthPoint) =>
    t`${nameOf(month)}: ${i18n.number(joined)} joined, ${i18n.number(left)} left`;
  return (
    <Figure
      title={title}
      table={{
        heads: [t`Month`, t`Joined`, t`Left`],
        rows: points.toReversed().map(({ month, joined, left }) => ({
          id: month,
          cells: [nameOf(month), i18n.number(joined), i18n.number(left)],
        })),
      }}
    >
      <MonthChart
        label={title}
        months={points.map(({ month }) => month)}
        max={Math.max(...points.map(({ joined, left }) => Math.max(joined, left)))}
        describe={(index) => describe(points[index] as MonthPoint)}
        drawAll={() => (
          <defs>
            <pattern
              id={pattern}
              width={5}
              height={5}
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width={5} height={5} className="fill-surface" />
              <rect width={2.5} height={5} className="fill-soon-fill" />
            </pattern>
          </defs>
        )}
        draw={(index, { x, width, y }) => {
          const { joined = 0, left = 0 } = points[index] ?? {};
          const bar = Math.max(2, Math.min(14, width * 0.36));
          const middle = x + width / 2;
          return (
            <>
              <rect
                x={middle - bar - 1}
                y={y(joined)}
                width={bar}
                height={y(0) - y(joined)}
                className="fill-accent"
              />
              <rect
                x={middle + 1}
                y={y(left)}
                width={bar}
                height={y(0) - y(left)}
                fill={`url(#${pattern})`}
                className="stroke-soon-fill"
              />
            </>
          );
        }}
      />
      <ul aria-hidden className="flex gap-4 text-muted text-xs">
        <li className="flex items-center gap-1.5">
          <span className="size-3 rounded-xs bg-accent forced-color-adjust-none" />
          {t`Joined`}
        </li>
        <li className="flex items-center gap-1.5">
          <span className="size-3 rounded-xs border border-soon bg-[repeating-linear-gradient(45deg,var(--soon-fill)_0_2px,transparent_2px_4px)] forced-color-adjust-none" />
          {t`Left`}
        </li>
      </ul>
    </Figure>
  );
}
