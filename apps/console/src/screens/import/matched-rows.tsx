import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { CheckboxField } from '../../components/forms/field.tsx';
import { checkWithRenames } from '../../import/begin-import.ts';
import { matchesName, matchesOf, save } from '../../import/report.ts';
import type { ImportDocument } from '../../import/types.ts';

/** The box that accepts other names for records that an e-mail address alone led to, if the check found any. */
export function RenamesBox({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { renames = 0, acceptRenames = false } = document;
  if (renames === 0 && !acceptRenames) return null;
  return (
    <div className="flex max-w-prose flex-col gap-1 text-sm">
      {renames > 0 && (
        <p>
          <Plural
            value={renames}
            one="# row has the e-mail address of an agent with another name. The address may be wrong: look at the row below."
            other="# rows have the e-mail address of an agent with another name. The addresses may be wrong: look at the rows below."
          />
        </p>
      )}
      <CheckboxField
        label={t`Rename the agents in these rows, and check again`}
        checked={acceptRenames}
        onChange={({ target: { checked } }) => void checkWithRenames(document, checked)}
      />
    </div>
  );
}

/** The button that saves which record each row matched, and by what. */
export function MatchesButton({ document }: { document: ImportDocument }) {
  const download = useMutation({
    mutationFn: async () => save(await matchesOf(document), matchesName(document.fileName)),
  });
  return (
    <div className="flex flex-col gap-2">
      <Button
        className="self-start"
        look="quiet"
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        <Download aria-hidden />
        <Trans>Download what each row matched</Trans>
      </Button>
      {download.isError && <ErrorBox error={download.error} />}
    </div>
  );
}
