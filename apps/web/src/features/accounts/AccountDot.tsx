/** The colour of an account, or a ring for the main one. */
import { getAccountColour } from './account-colour.ts';

export function AccountDot({ id }: { readonly id: string | null }) {
  return (
    <span
      aria-hidden="true"
      className={`size-2.5 shrink-0 rounded-full ${id === null ? 'border-2 border-line-control' : ''}`}
      style={id === null ? undefined : { background: getAccountColour(id) }}
    />
  );
}
