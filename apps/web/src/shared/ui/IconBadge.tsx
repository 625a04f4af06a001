/** A badge whose state has an icon beside the word. Apart from `Badge`, which the landing page loads. */
import type { LucideIcon } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

export interface BadgeVariant {
  readonly word: string;
  readonly tone: BadgeTone;
  readonly Icon: LucideIcon;
}

interface IconBadgeProps {
  readonly variant: BadgeVariant;
  /** In place of the variant's word. */
  readonly word?: string;
}

export function IconBadge({ variant, word = variant.word }: IconBadgeProps) {
  const { tone, Icon } = variant;
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className="mr-1 shrink-0" />
      {word}
    </Badge>
  );
}
