import { type ComponentType, createElement, use } from 'react';
import { loadPart, PartError } from './lazy-chunks.ts';
import { loadOtherMessages } from './locale.ts';

type PropsOf<Component> = Component extends (props: infer Props) => unknown ? Props & object : never;

type Views = Record<string, unknown>;

async function loadComponent<Module extends Views, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  const [module] = await loadPart(() => Promise.all([load(), loadOtherMessages()]));
  return module[name] as ComponentType<PropsOf<Module[Name]>>;
}

const RETRY_MS = 2_000;

/**
 * A component in a file of its own that is loaded when it is first shown: `lazyComponent(() => import('…'), 'DraftBar')`. Until it is
 * there, the fallback of the `Suspense` above is shown, also while the service is away: a part must not take with it what is shown
 * around it.
 */
export function lazyComponent<Module extends Views, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  let component: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const loadUntilThere = async (): Promise<ComponentType<Props>> => {
    while (true) {
      try {
        component = await loadComponent(load, name);
        return component;
      } catch (error) {
        // Then it is there when the page is loaded again, which has been offered.
        if (!(error instanceof PartError) || error.needsReload) return new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  const preload = () => {
    loading ??= loadUntilThere();
    return loading;
  };
  function Part(props: Props) {
    return createElement(component ?? use(preload()), props);
  }
  return Object.assign(Part, { preload });
}

/**
 * The same for a view of the router. If it cannot be loaded, the router gets a `PartError` to show in its place, and loads it again
 * when it is told to.
 */
export function lazyView<Module extends Views, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  type Props = PropsOf<Module[Name]>;
  let component: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = (): Promise<void> | undefined => {
    if (component !== undefined) return undefined;
    loading ??= loadComponent(load, name)
      .then((loaded) => {
        component = loaded;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };
  function View(props: Props) {
    // The router shows it when it is loaded.
    return component === undefined ? null : createElement(component, props);
  }
  return Object.assign(View, { preload });
}
