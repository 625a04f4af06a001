/** A badge whose state has an icon beside the label. Apart from `Badge`, which the landing page loads. */
import type { LucideIcon } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

export interface BadgeVariant {
  readonly label: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
}

interface IconBadgeProps {
  readonly variant: BadgeVariant;
  /** In place of the variant's label. */
  readonly label?: string;
  /** Between phone and desk only the icon is visible. */
  readonly isCompact?: boolean;
}

export function IconBadge({ variant, label = variant.label, isCompact = false }: IconBadgeProps) {
  const { tone, Icon } = variant;
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className={`mr-1 shrink-0 ${isCompact ? 'md:max-lg:mr-0' : ''}`} />
      <span className={isCompact ? 'md:max-lg:sr-only' : ''}>{label}</span>
    </Badge>
  );
}
