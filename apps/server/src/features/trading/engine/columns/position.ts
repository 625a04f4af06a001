/** The columns of `app.positions`. The mark is the price that the server knows at the moment of the row. */
import { bool, nullable, positions, timestamp } from '@fulcrum/contract';
import { type Position, type Price, rulesOf } from '@fulcrum/domain';
import { defineColumns } from './codec.ts';

/** The last known price of the symbol; undefined when it never had one. */
type Mark = Price | undefined;
const markOf = ({ closing }: Position, mark: Mark): Price | null =>
  closing === null ? (mark ?? null) : null;

export const positionColumns = defineColumns<Position, Mark>()({
  public: positions.columns,
  hidden: { margin_warned: bool, funded_at: nullable(timestamp) },
  from: {
    user_id: 'accountId',
    mark_price: { show: markOf },
    unrealized_pnl: {
      show: (position, lastPrice) => {
        const mark = markOf(position, lastPrice);
        return mark === null ? null : rulesOf(position.rules).unrealizedPnl(position, mark);
      },
    },
    close_price: 'closing.price',
    realized_pnl: 'closing.realizedPnl',
    status: { write: ({ closing }) => (closing === null ? 'open' : 'closed') },
    closed_at: 'closing.at',
    close_reason: 'closing.reason',
    close_price_source: 'closing.priceSource',
  },
});
