import { Trans, useLingui } from '@lingui/react/macro';
import { ChevronDown } from '../icons.tsx';
import { ChevronUp } from '../more-icons.tsx';
import { IconButton } from './button.tsx';

export interface Place {
  /** From 1; undefined if the list doesn't know it. */
  position: number | undefined;
  total: number | undefined;
  /** Undefined at an end. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

interface PlaceArrowsProps extends Place {
  labels: { previous: string; next: string };
}

/** The place of what is shown in its list, as "4 of 27", and the ways to what is beside it. */
export function PlaceArrows({ position, total, onPrevious, onNext, labels }: PlaceArrowsProps) {
  const { i18n } = useLingui();
  return (
    <>
      {position !== undefined && total !== undefined && (
        <span className="me-1 self-center whitespace-nowrap text-muted text-sm tabular-nums">
          <Trans>
            {i18n.number(position)} of {i18n.number(total)}
          </Trans>
        </span>
      )}
      <IconButton label={labels.previous} disabled={onPrevious === undefined} onClick={onPrevious}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label={labels.next} disabled={onNext === undefined} onClick={onNext}>
        <ChevronDown aria-hidden />
      </IconButton>
    </>
  );
}
