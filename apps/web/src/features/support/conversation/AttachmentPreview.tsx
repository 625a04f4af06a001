/** The chosen picture above the field: its progress, or why it failed. */
import RotateCw from 'lucide-react/icons/rotate-cw';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../../shared/ui/index.ts';
import type { Attachment } from './attachment.ts';

interface AttachmentPreviewProps {
  readonly attachment: Attachment;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

export function AttachmentPreview({ attachment, onRetry, onRemove }: AttachmentPreviewProps) {
  const { name, src, state } = attachment;
  return (
    <div className="mb-1.5 flex items-center gap-3 rounded-panel border border-line bg-raised p-2 text-12">
      {state.kind === 'failed' && !state.canRetry ? null : (
        <img src={src} alt="" className="size-11 shrink-0 rounded-control object-cover" />
      )}
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{name}</p>
        {state.kind === 'uploading' ? (
          <progress
            aria-label={`Uploading ${name}`}
            value={state.progress}
            max={1}
            className="block h-1.5 w-full max-w-60 accent-accent"
          />
        ) : null}
        <p role="status" className={state.kind === 'failed' ? 'sr-only' : 'text-text-2'}>
          {state.kind === 'ready' ? 'Ready to send' : ''}
        </p>
        <p role="alert" className="text-down empty:hidden">
          {state.kind === 'failed' ? state.text : ''}
        </p>
      </div>
      {state.kind === 'failed' && state.canRetry ? (
        <IconButton label="Upload the picture again" onClick={onRetry}>
          <RotateCw size={16} aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton label="Remove the picture" onClick={onRemove}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
