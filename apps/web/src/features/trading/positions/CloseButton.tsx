/**
 * How an open position is closed from its row or card: at once, or while its market is shut at the reopening (A98), which can
 * be taken back until then.
 */
import { texts } from '@fulcrum/contract/texts';
import { sideName } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { announce, Button, type ButtonSize } from '../../../shared/ui/index.ts';
import { useIsShut, useReopening } from './reopening.ts';

interface CloseButtonProps {
  readonly position: Position;
  readonly size?: ButtonSize;
  readonly className?: string;
  readonly onClose: (position: Position) => void;
}

export function CloseButton({ position, onClose, ...look }: CloseButtonProps) {
  const { symbol, side, closeAtReopen } = position;
  const isShut = useIsShut(symbol);
  const { want, pending } = useReopening(position);
  const what = `${symbol} ${sideName(side).toLowerCase()}`;
  const ask = () => onClose(position);
  const undo = async () => {
    const failure = await want(false);
    if (failure !== null) announce('error', failure);
  };
  const atReopen = closeAtReopen
    ? { text: 'Undo', label: `Undo ${texts.closeAtReopen.toLowerCase()}, ${what}`, act: undo }
    : { text: texts.closeAtReopen, label: `${texts.closeAtReopen}, ${what}`, act: ask };
  const { text, label, act } = isShut ? atReopen : { text: 'Close', label: `Close ${what}`, act: ask };
  // One button whatever it says, so that the focus stays on it.
  return (
    <Button {...look} aria-label={label} onClick={act} pending={pending}>
      {text}
    </Button>
  );
}

/** Says of a position that it closes at the reopening; nothing of any other. */
export function LeavingMark({
  position,
  className = '',
}: {
  readonly position: Position;
  readonly className?: string;
}) {
  if (!position.closeAtReopen) return null;
  return <span className={`text-11 text-warn ${className}`}>{texts.closesAtReopen}</span>;
}
