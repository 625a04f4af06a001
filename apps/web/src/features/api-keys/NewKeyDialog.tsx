/** A new key with its secret, which no later screen has. */
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { CopyButton } from '../../shared/copy/CopyButton.tsx';
import { Button, Dialog } from '../../shared/ui/index.ts';
import type { MadeKey } from './keys.ts';

function Line({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <dt className="text-12 text-text-2">{label}</dt>
      <dd className="mt-1 flex items-center gap-2 rounded-control border border-line bg-inset py-1 pr-1.5 pl-3">
        <code className="figures min-w-0 grow text-12 wrap-anywhere select-all">{text}</code>
        <CopyButton label={label} text={text} />
      </dd>
    </div>
  );
}

interface NewKeyDialogProps {
  readonly made: MadeKey;
  readonly onClose: () => void;
}

export function NewKeyDialog({ made, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      outside="stays"
      size="wide"
      title={`${made.name} is ready`}
      description={
        <p className="flex items-start gap-2 rounded-control bg-warn-weak px-3 py-2 text-text">
          <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
          Copy the secret now. It is not shown again, and anybody who has it can use the key.
        </p>
      }
      actions={
        <Button tone="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <dl className="flex flex-col gap-3">
        <Line label="API key" text={made.apiKey} />
        <Line label="Secret" text={made.secret} />
        <Line label="Authorization header" text={`Bearer ${made.apiKey}.${made.secret}`} />
      </dl>
    </Dialog>
  );
}
