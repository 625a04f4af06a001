/** Asks whether to reverse an open position. An icon in a row, a word on a phone card. */
import ArrowUpDown from 'lucide-react/icons/arrow-up-down';
import { sideLabel } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button } from '../../../shared/ui/index.ts';

interface ReverseButtonProps {
  readonly position: Position;
  readonly onReverse: (position: Position) => void;
}

const label = ({ symbol, side }: Position) => `Reverse ${symbol} ${sideLabel(side).toLowerCase()}`;

export const ReverseIcon = ({ position, onReverse }: ReverseButtonProps) => (
  <Button
    size="compact"
    className="w-7 !px-0"
    aria-label={label(position)}
    title="Reverse"
    onClick={() => onReverse(position)}
  >
    <ArrowUpDown size={14} aria-hidden="true" />
  </Button>
);

export const ReverseButton = ({ position, onReverse }: ReverseButtonProps) => (
  <Button className="flex-1" aria-label={label(position)} onClick={() => onReverse(position)}>
    Reverse
  </Button>
);
