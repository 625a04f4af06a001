/** A button from one page to another. It stays where it is when there is nothing in its direction, and says so. */
import type { LucideIcon } from 'lucide-react';
import { IconButton } from '../../../shared/ui/index.ts';

interface PageStepProps {
  readonly label: string;
  readonly Icon: LucideIcon;
  /** Null: there is nothing in this direction. */
  readonly onStep: (() => void) | null;
}

export function PageStep({ label, Icon, onStep }: PageStepProps) {
  return (
    <IconButton
      label={label}
      aria-disabled={onStep === null || undefined}
      className={onStep === null ? 'text-text-3 opacity-50' : ''}
      onClick={() => onStep?.()}
    >
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  );
}
