/** The label of a position in the journal, and the search over such labels. */
import { sideLabel } from '../../shared/account/index.ts';
import type { Position } from '../../shared/supabase/index.ts';

/** Rows of the picker. */
const resultsMax = 60;

/** The positions whose label contains each word of the text. */
export function findPositions(positions: readonly Position[], text: string): readonly Position[] {
  const terms = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const isFound = ({ symbol, side, status, createdAt, closedAt }: Position) => {
    const searchText = `${symbol} ${sideLabel(side)} ${status} ${closedAt ?? createdAt}`.toLowerCase();
    return terms.every((term) => searchText.includes(term));
  };
  return positions.filter(isFound).slice(0, resultsMax);
}

const reasons: Readonly<Record<NonNullable<Position['closeReason']>, string>> = {
  // An order that closes a net position, or one of a ladder, leaves this reason too.
  manual: 'Closed by hand or by an order',
  take_profit: 'Take profit',
  stop_loss: 'Stop loss',
  liquidation: 'Liquidated',
  staff: 'Closed by staff',
  program_end: 'Contest or challenge ended',
};
export const getCloseReason = ({ closeReason }: Position): string | null =>
  closeReason === null ? null : reasons[closeReason];
