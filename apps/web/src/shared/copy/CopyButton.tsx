/** A button beside a text that copies it. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { log } from '../log/log.ts';
import { IconButton, showToast } from '../ui/index.ts';

/** `label` names the text. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    } catch (cause) {
      // A page over plain http has no clipboard.
      log.warn('Copying failed', cause);
      showToast('error', 'The browser blocked copying. Please copy the text by hand.');
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <IconButton
      label={isCopied ? `${label} copied` : `Copy ${label.toLowerCase()}`}
      onClick={copy}
      className="!size-7 max-md:!size-11"
    >
      <Icon size={13} aria-hidden="true" />
    </IconButton>
  );
}
