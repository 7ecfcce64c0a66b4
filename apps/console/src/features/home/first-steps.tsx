import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import { buttonClasses, linkClasses } from '../../ui/button.tsx';
import { AddSamples, useMayAddSamples } from '../directory/samples/add-samples.tsx';

/** The subject of a card, drawn with the lines of the page: what has edges, and bars, which are strokes with round ends. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 240 112"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="h-32 w-full border-line-soft border-b bg-sunken p-2 [&_.bar]:fill-line [&_.bar]:stroke-line [&_.edge]:fill-surface [&_.edge]:stroke-line-strong [&_.strong]:fill-line-strong [&_.strong]:stroke-line-strong"
    >
      {children}
    </svg>
  );
}

const table = (
  <>
    <rect className="edge" x={40.5} y={16.5} width={160} height={80} rx={6} />
    <path className="edge" d="M40.5 36.5h160M40.5 56.5h160M40.5 76.5h160M94.5 16.5v80M148.5 16.5v80" />
    <path className="strong" strokeWidth={4} d="M52 26h26M106 26h20M160 26h24" />
    <path
      className="bar"
      strokeWidth={4}
      d="M52 46h30M106 46h28M160 46h16M52 66h22M106 66h24M160 66h28M52 86h32M106 86h18M160 86h22"
    />
  </>
);
const buildings = (
  <>
    <path
      className="edge"
      d="M84.5 96.5v-72a6 6 0 0 1 6-6h44a6 6 0 0 1 6 6v72M140.5 48.5h24a6 6 0 0 1 6 6v42M64.5 96.5h124"
    />
    <path
      className="bar"
      strokeWidth={4}
      d="M98 32h6v4h-6zM121 32h6v4h-6zM98 50h6v4h-6zM121 50h6v4h-6zM98 68h6v4h-6zM121 68h6v4h-6zM152 64h6v4h-6zM152 80h6v4h-6z"
    />
    <path className="strong" strokeWidth={4} d="M108 84h9v10h-9z" />
  </>
);
const people = (
  <>
    {[200, 80, 320].map((hue, at) => (
      <circle
        key={hue}
        cx={58}
        cy={26 + 30 * at}
        r={10}
        style={{ fill: `light-dark(oklch(92% 0.03 ${hue}), oklch(38% 0.035 ${hue}))` }}
      />
    ))}
    <path className="strong" strokeWidth={5} d="M82.5 21.5h71M82.5 51.5h87M82.5 81.5h59" />
    <path className="bar" strokeWidth={4} d="M82 30h48M82 60h40M82 90h56" />
  </>
);

interface CardProps {
  drawing: ReactNode;
  title: string;
  text: ReactNode;
  children: ReactNode;
}

function Card({ drawing, title, text, children }: CardProps) {
  return (
    <li className="flex w-full flex-col overflow-hidden rounded-md border border-line bg-surface sm:w-76">
      <Drawing>{drawing}</Drawing>
      <div className="flex grow flex-col items-start p-5">
        <h3 className="font-semibold text-md">{title}</h3>
        <p className="mt-1 mb-4 min-h-15 grow text-muted text-sm">{text}</p>
        <div className="flex flex-wrap items-center gap-3 text-muted text-sm">{children}</div>
      </div>
    </li>
  );
}

/** A directory without records: what to begin with, as far as one may. */
export function FirstSteps() {
  const { t } = useLingui();
  const { can, canManage } = useRights();
  const mayAdd = useMayAddSamples();
  return (
    <div className="flex grow flex-col items-center justify-center gap-8 sm:pb-16">
      <div className="flex flex-col gap-1 text-center">
        <h2 className="font-semibold text-2xl tracking-[-0.015em]">
          <Trans>Set up your directory</Trans>
        </h2>
        <p className="text-md text-muted">
          <Trans>Offices come first, then the people who work in them. You can undo every step.</Trans>
        </p>
      </div>
      <ul className="flex flex-wrap justify-center gap-4">
        {canManage('offices:write') && (
          <Card
            drawing={table}
            title={t`Import a file`}
            text={
              <Trans>
                A list from Excel or another system. You see what it creates before anything is saved.
              </Trans>
            }
          >
            <Link to="/imports" className={buttonClasses('primary')}>
              <Trans>Choose a file</Trans>
            </Link>
            <Trans>.xlsx, .csv or .ndjson</Trans>
          </Card>
        )}
        {can('offices:write') && (
          <Card
            drawing={buildings}
            title={t`Create an office`}
            text={<Trans>Enter its name and city. Add its agents next, one by one or from a file.</Trans>}
          >
            <Link to="/offices/new" search={true} className={buttonClasses('secondary')}>
              <Trans>Create an office</Trans>
            </Link>
          </Card>
        )}
        {mayAdd && (
          <Card
            drawing={people}
            title={t`Load samples`}
            text={<Trans>Made-up offices, agents and teams, to try things out. You can undo them.</Trans>}
          >
            <AddSamples />
          </Card>
        )}
      </ul>
      {can('keys:manage') && (
        <p className="text-muted text-sm">
          <Trans>
            Moving from another system?{' '}
            <Link to="/keys" search={{ create: 'true' }} className={linkClasses}>
              Connect it with an API key
            </Link>
          </Trans>
        </p>
      )}
    </div>
  );
}
