/** What a position is called in the journal, and which ones a search finds. */
import { sideName } from '../../shared/account/index.ts';
import type { Position } from '../../shared/supabase/index.ts';

/** Rows of the picker. */
const mostFound = 60;

/** Those in whose words each word of the text occurs. */
export function matchingPositions(positions: readonly Position[], text: string): readonly Position[] {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  const isFound = ({ symbol, side, status, createdAt, closedAt }: Position) => {
    const told = `${symbol} ${sideName(side)} ${status} ${closedAt ?? createdAt}`.toLowerCase();
    return words.every((word) => told.includes(word));
  };
  return positions.filter(isFound).slice(0, mostFound);
}

const reasons: Readonly<Record<NonNullable<Position['closeReason']>, string>> = {
  manual: 'Closed by hand',
  take_profit: 'Take profit',
  stop_loss: 'Stop loss',
  liquidation: 'Liquidated',
  staff: 'Closed by staff',
};
export const reasonOf = ({ closeReason }: Position): string | null =>
  closeReason === null ? null : reasons[closeReason];
