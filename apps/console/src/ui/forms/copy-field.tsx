import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { Copy } from '../../icons.tsx';
import { Check } from '../../more-icons.tsx';
import { copyText } from '../browser/clipboard.ts';
import { Button } from '../button.tsx';

export function CopyField({
  label,
  value,
  look = 'secondary',
}: {
  label: string;
  value: string;
  look?: 'primary' | 'secondary';
}) {
  const { t } = useLingui();
  const [copied, setCopied] = useState<boolean>();
  const id = useId();
  const copy = () => copyText(value).then(setCopied);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2">
        <textarea
          id={id}
          readOnly
          rows={1}
          dir="ltr"
          value={value}
          className="field-sizing-content min-h-9 min-w-0 grow basis-64 resize-none break-all rounded-sm border border-control bg-surface px-3 py-1.5 font-mono"
          onFocus={(event) => event.target.select()}
        />
        <Button look={look} onClick={() => void copy()}>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          <Trans>Copy</Trans>
        </Button>
      </div>
      <p role="status" className="min-h-5 text-muted">
        {copied === true && t`Copied.`}
        {copied === false && t`Your browser didn't allow copying. Select the text and copy it.`}
      </p>
    </div>
  );
}
