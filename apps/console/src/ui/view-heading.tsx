'use no memo';

import { type ReactNode, useEffect, useRef } from 'react';

interface Title {
  text: string;
  level: number;
}

let titles: readonly Title[] = [];
/** The first view is read from its beginning; only those after it take the focus. */
let isFirst = true;

/** Shows all titles as that of the window: a panel that is open in a view comes before the view itself. */
function showTitle(): void {
  const ordered = titles.toSorted((one, other) => other.level - one.level);
  document.title = [...ordered.map(({ text }) => text), 'Roster'].join(' · ');
}

function useTitle(text: string, level: number): void {
  useEffect(() => {
    const title = { text, level };
    titles = [...titles, title];
    showTitle();
    return () => {
      titles = titles.filter((one) => one !== title);
      showTitle();
    };
  }, [text, level]);
}

/**
 * The heading of a view, which also names the window. It takes the focus when the view is opened from within the page, so that a
 * screen reader reads it.
 */
export function ViewHeading({
  title,
  id,
  level = 1,
  className = 'font-semibold text-xl',
  children,
}: {
  title: string;
  id?: string;
  /** 2 for a view beside another, such as a record beside its list. */
  level?: 1 | 2;
  className?: string;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title, level);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  const Heading = `h${level}` as const;
  return (
    <Heading ref={heading} id={id} tabIndex={-1} className={`outline-none ${className}`}>
      {children ?? title}
    </Heading>
  );
}
