/** Marks a class whose accounts open nothing more. */
import { Badge } from '../../shared/ui/index.ts';
import { type Class, hasEnded } from './queries.ts';

export function EndedBadge({ of }: { readonly of: Class }) {
  return hasEnded(of, Date.now()) ? <Badge>Ended</Badge> : null;
}
