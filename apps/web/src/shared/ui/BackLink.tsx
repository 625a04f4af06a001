/** A link in the head of a page to the page above it. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { ButtonLink } from './Button.tsx';

interface BackLinkProps {
  readonly to: string;
  readonly className?: string;
  readonly children: string;
}

export function BackLink({ to, className = '', children }: BackLinkProps) {
  return (
    <ButtonLink to={to} size="compact" tone="quiet" className={className}>
      <ArrowLeft size={14} aria-hidden="true" />
      {children}
    </ButtonLink>
  );
}
