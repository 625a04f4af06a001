/** Copies a text and states that it did. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { Button, type ButtonTone, showToast } from '../../shared/ui/index.ts';

const copiedForMs = 1_500;

interface CopyButtonProps {
  /** What the text is, for screen readers: `Copy address`. */
  readonly label: string;
  readonly text: string;
  readonly tone?: ButtonTone;
}

export function CopyButton({ label, text, tone = 'secondary' }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), copiedForMs);
    } catch (cause) {
      // A page over plain http has no clipboard. The cause names no text.
      log.warn('Copying failed', cause);
      showToast('error', 'The browser blocked copying. Please copy the text by hand.');
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button tone={tone} onClick={() => void copy()}>
      <Icon size={14} aria-hidden="true" />
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  );
}
