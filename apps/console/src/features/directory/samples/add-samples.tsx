import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRights } from '../../../api/caller.ts';
import { queryClient } from '../../../api/client.ts';
import { resourceNames } from '../../../api/contract/contracts.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { loadPart } from '../../../ui/browser/lazy-chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { notifyError } from '../../../ui/error-text.tsx';
import { notify } from '../../../ui/notices.tsx';

function useIsEmpty(): boolean {
  const pages = useQueries({
    queries: resourceNames.map((resource) => ({
      queryKey: [resource, 'list', 'first'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callsOf(resource).list.query({ limit: 1 }, { signal }),
    })),
  });
  return pages.every(({ data }) => data?.items.length === 0);
}

/** Whether the caller may create records of all resources, everywhere. */
export function useMayAddSamples(): boolean {
  const { canManage, canEverywhere } = useRights();
  return resourceNames.every((resource) => {
    const scope = `${resource}:write` as const;
    return canManage(scope) && canEverywhere(scope);
  });
}

export function AddSamples() {
  const { t } = useLingui();
  const mayCreate = useMayAddSamples();
  const navigate = useNavigate();
  const isEmpty = useIsEmpty();
  const load = useMutation({
    mutationFn: async () => {
      const { loadSamples } = await loadPart(() => import('./load-samples.ts'));
      await loadSamples();
    },
    onSuccess: () =>
      notify({
        text: t`Samples loaded. To remove them, undo the three imports, starting with the latest.`,
        action: { label: t`View imports`, run: () => void navigate({ to: '/imports' }) },
      }),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries(),
  });
  if (!mayCreate || !(isEmpty || load.isPending)) return null;
  return (
    <Button disabled={load.isPending} onClick={() => load.mutate()}>
      {load.isPending ? <Trans>Loading samples…</Trans> : <Trans>Load samples</Trans>}
    </Button>
  );
}
