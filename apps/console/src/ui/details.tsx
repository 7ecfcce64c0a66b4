import { type ReactNode, useId } from 'react';
import { hint, scrollable } from './page.tsx';

export function Details({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">{children}</dl>
  );
}

export function Detail({ label, children }: { label: ReactNode; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === '';
  return (
    <>
      <dt className="min-w-24 break-words text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{isEmpty ? '–' : children}</dd>
    </>
  );
}

export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-semibold text-sm">
        {title}
      </h3>
      {children}
    </section>
  );
}

export function FirstOf({ items, max = 2 }: { items: readonly string[]; max?: number }) {
  const more = items.length - max;
  return (
    <span className="relative text-xs" {...(more > 0 && hint(items.join(', ')))}>
      {items.slice(0, max).join(', ')}
      {more > 0 && <span className="text-muted"> +{more}</span>}
    </span>
  );
}

export function CodeBox({ children }: { children: string }) {
  return (
    <pre
      {...scrollable}
      dir="ltr"
      className="max-h-80 overflow-auto whitespace-pre-wrap break-all rounded-sm border border-line bg-page p-2 text-text text-xs"
    >
      {children}
    </pre>
  );
}
