import { useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { buttonClasses, classNames } from '../../components/button.tsx';
import type { ResourceName } from '../../contract/contracts.ts';

/** Below this width the panel covers the list. */
const BESIDE_LIST = '(min-width: 64rem)';

interface PanelProps {
  resource: ResourceName;
  title: ReactNode;
  /** Under the title, such as the status. */
  summary?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  tabs?: ReactNode;
  children: ReactNode;
}

/** The frame of a record beside its list. On a narrow screen it covers the list, which nothing reaches meanwhile. */
export function Panel({ resource, title, summary, actions, tabs, children }: PanelProps) {
  const { t } = useLingui();
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const wide = window.matchMedia(BESIDE_LIST);
    const covered = [...(section.current?.parentElement?.children ?? [])].filter(
      (element) => element !== section.current,
    );
    const update = () => {
      for (const element of covered) element.toggleAttribute('inert', !wide.matches);
    };
    update();
    if (!wide.matches) heading.current?.focus({ preventScroll: true });
    wide.addEventListener('change', update);
    return () => {
      wide.removeEventListener('change', update);
      for (const element of covered) element.removeAttribute('inert');
    };
  }, []);
  const close = t`Back to the list`;
  return (
    <section
      ref={section}
      aria-labelledby="record-title"
      className="absolute inset-0 z-10 flex min-h-0 flex-col bg-surface lg:static lg:z-auto lg:w-[30rem] lg:shrink-0 lg:border-line lg:border-s xl:w-[36rem] 2xl:w-[44rem]"
    >
      <header className="border-line border-b px-4 pt-3">
        <div className="flex items-start gap-2 pb-2">
          <Link
            to={`/${resource}`}
            search={true}
            aria-label={close}
            data-tooltip={close}
            className={classNames(buttonClasses('quiet'), 'min-w-9 px-0 lg:order-last')}
          >
            <ArrowLeft aria-hidden className="lg:hidden rtl:rotate-180" />
            <X aria-hidden className="max-lg:hidden" />
          </Link>
          <div className="min-w-0 grow">
            <h2
              ref={heading}
              id="record-title"
              tabIndex={-1}
              className="break-words font-semibold text-xl leading-9 outline-none"
            >
              {title}
            </h2>
            {summary}
          </div>
          {actions}
        </div>
        {tabs}
      </header>
      <div className="min-h-0 grow overflow-y-auto">{children}</div>
    </section>
  );
}
