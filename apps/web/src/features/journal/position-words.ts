/** What a position is called in the journal, and which ones a search finds. */
import type { Position } from '../../shared/supabase/index.ts';

export const sideName = (side: Position['side']): 'Long' | 'Short' => (side === 'BUY' ? 'Long' : 'Short');

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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `2 d 4 h`, `3 h 12 min`, `12 min`, `45 s`: the two largest units that say something. */
export function durationInWords(ms: number): string {
  const [days, hours, minutes] = [
    Math.floor(ms / dayMs),
    Math.floor(ms / hourMs) % 24,
    Math.floor(ms / minuteMs) % 60,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  if (minutes > 0) return `${minutes} min`;
  return `${Math.max(0, Math.floor(ms / 1000))} s`;
}
