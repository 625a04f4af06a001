/**
 * The close button of an open position's row or card. It closes at once; while the market is closed, at the reopening
 * (A98); while a price is held, at the next price (A110). The last two can be revoked until then.
 */
import { sideLabel } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { Button, type ButtonSize, showToast } from '../../../shared/ui/index.ts';
import { laterCloseTexts, useLaterClose, useReopening } from './reopening.ts';

interface CloseButtonProps {
  readonly position: Position;
  readonly size?: ButtonSize;
  readonly className?: string;
  readonly onClose: (position: Position) => void;
}

export function CloseButton({ position, onClose, ...buttonProps }: CloseButtonProps) {
  const { symbol, side, closeAtReopen } = position;
  const later = useLaterClose(symbol);
  const { want, pending } = useReopening(position);
  const what = `${symbol} ${sideLabel(side).toLowerCase()}`;
  const ask = () => onClose(position);
  const undo = async () => {
    const failure = await want(false);
    if (failure !== null) showToast('error', failure);
  };
  const atOnce = { text: 'Close', label: `Close ${what}`, onClick: ask };
  const atNext = (button: string) =>
    closeAtReopen
      ? { text: 'Undo', label: `Undo ${button.toLowerCase()}, ${what}`, onClick: undo }
      : { text: button, label: `${button}, ${what}`, onClick: ask };
  const { text, label, onClick } = later === null ? atOnce : atNext(laterCloseTexts[later].button);
  // One button for every label, so that it keeps the focus.
  return (
    <Button {...buttonProps} aria-label={label} onClick={onClick} pending={pending}>
      {text}
    </Button>
  );
}

/** Marks a position that will close at the next tradable price. */
export function CloseAtReopenMark({
  position,
  className = '',
}: {
  readonly position: Position;
  readonly className?: string;
}) {
  const later = useLaterClose(position.symbol);
  if (!position.closeAtReopen) return null;
  return (
    <span className={`text-11 text-warn ${className}`}>{laterCloseTexts[later ?? 'next price'].mark}</span>
  );
}
