/** The stored value of a side, as staff see it (MGR-15); an arrow shows it without colour. */
import type { Side } from '@fulcrum/domain';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';

const sideVariants = {
  BUY: { Icon: ArrowUpRight, colour: 'text-up' },
  SELL: { Icon: ArrowDownRight, colour: 'text-down' },
} as const satisfies Record<Side, object>;

export function SideLabel({ side }: { readonly side: Side }) {
  const { Icon, colour } = sideVariants[side];
  return (
    <span className={`inline-flex items-center gap-1 align-top whitespace-nowrap ${colour}`}>
      <Icon size={13} aria-hidden="true" />
      {side}
    </span>
  );
}
