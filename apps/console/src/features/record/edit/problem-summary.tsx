import { Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useEffect, useRef } from 'react';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { Callout } from '../../../ui/badge.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { pathLabel } from '../../fields/field-labels.ts';
import { useCheckText } from './form-fields.tsx';
import type { FormProblems } from './use-record-form.ts';

function focusAt(form: HTMLElement | null, path: string): void {
  const escaped = CSS.escape(path);
  const place =
    form?.querySelector(`[data-path="${escaped}"]`) ?? form?.querySelector(`[data-path^="${escaped}"]`);
  const control = place?.querySelector<HTMLElement>('input, select, textarea, button');
  control?.focus();
}

export function ProblemSummary({ resource, problems }: { resource: ResourceName; problems: FormProblems }) {
  const { i18n } = useLingui();
  const summary = useRef<HTMLDivElement>(null);
  const textOf = useCheckText(resource);
  const { checks, atFields, elsewhere, error } = problems;
  const lines = [...checks.map((check) => ({ path: check.path, text: textOf(check) })), ...atFields];
  const isShown = lines.length + elsewhere.length > 0 || error !== null;
  const { attempt } = problems;
  useEffect(() => {
    // Each attempt leads here, also to the same problems; correcting one of them does not.
    if (attempt > 0) summary.current?.focus();
  }, [attempt]);
  if (!isShown) return null;
  const label = (path: string) => pathLabel(i18n, resource, path.replaceAll('/', '.'));
  const isOffline = error instanceof RosterError && error.code === 'network';
  return (
    <div ref={summary} tabIndex={-1} className="rounded-md">
      {error !== null && <ErrorBox error={error} />}
      {isOffline && (
        <p className="px-4 text-sm">
          <Trans>
            Your changes are kept. Save again when the server is available; they won't be applied twice.
          </Trans>
        </p>
      )}
      {lines.length + elsewhere.length > 0 && (
        <Callout tone="danger" title={<Trans>Not saved: some fields need correcting</Trans>}>
          <ul className="list-inside list-disc">
            {lines.map(({ path, text }) => (
              <li key={path + text}>
                <button
                  type="button"
                  className="min-h-6 underline underline-offset-2"
                  onClick={() => focusAt(summary.current?.closest('form') ?? null, path)}
                >
                  {label(path)}
                </button>{' '}
                {text}
              </li>
            ))}
            {elsewhere.map(({ path, text }) => (
              <li key={path + text}>
                {path === '' ? '' : `${label(path)} `}
                {text}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  );
}
