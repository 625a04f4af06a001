/** The stored word of a side, as staff read it (MGR-15): its arrow says the same without the colour. */
import type { Side } from '@fulcrum/domain';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';

const looks = {
  BUY: { Icon: ArrowUpRight, colour: 'text-up' },
  SELL: { Icon: ArrowDownRight, colour: 'text-down' },
} as const satisfies Record<Side, object>;

export function SideWord({ side }: { readonly side: Side }) {
  const { Icon, colour } = looks[side];
  return (
    <span className={`inline-flex items-center gap-1 align-top whitespace-nowrap ${colour}`}>
      <Icon size={13} aria-hidden="true" />
      {side}
    </span>
  );
}
