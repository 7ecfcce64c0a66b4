import { useNavigate, useSearch } from '@tanstack/react-router';
import type { SearchParams } from './search-params.ts';

/**
 * The state of a view, which is the query of its URL: the parameters, and a function that changes some of them. The view stays
 * one entry of the history, so that "back" leaves it.
 */
export function useViewState(): [SearchParams, (change: SearchParams) => void] {
  const search: SearchParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: SearchParams) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  return [search, change];
}

export function firstValue(parameter: string | string[] | undefined): string | undefined {
  return [parameter].flat()[0];
}

let isBack = false;

export function noteNavigation(action: string): void {
  isBack = action === 'BACK' || action === 'FORWARD' || action === 'GO';
}

/** Whether the view was reached by "back" or "forward" of the browser, and not by something that was pressed in the page. */
export const hasComeBack = (): boolean => isBack;

export function useParameter(name: string): [string, (value: string | undefined) => void] {
  const [search, change] = useViewState();
  return [firstValue(search[name]) ?? '', (value) => change({ [name]: value === '' ? undefined : value })];
}
