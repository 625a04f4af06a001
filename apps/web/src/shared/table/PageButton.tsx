/** A button to another page. Without a page in its direction it stays in place, disabled. */
import type { LucideIcon } from 'lucide-react';
import { IconButton } from '../ui/index.ts';

interface PageButtonProps {
  readonly label: string;
  readonly Icon: LucideIcon;
  /** Null when there is no page in this direction. */
  readonly onPress: (() => void) | null;
}

export function PageButton({ label, Icon, onPress }: PageButtonProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={onPress === null || undefined}
      className={onPress === null ? 'text-text-3 opacity-50' : ''}
      onClick={() => onPress?.()}
    >
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  );
}
