/**
 * The close button of an open position's row or card. It closes at once; while the market is closed, at the reopening
 * (A98); while a price is held, at the next price (A110). The last two can be revoked until then.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import { Button, type ButtonSize, Menu, MenuItem, showToast } from '../../../shared/ui/index.ts';
import { LadderDialog } from '../../order-book/index.ts';
import { laterCloseTexts, useLaterClose, useReopening } from './reopening.ts';
import type { Steps } from './steps.ts';

interface CloseButtonProps {
  readonly position: Position;
  readonly size?: ButtonSize;
  readonly className?: string;
  /** `sharePercent`: the share that the confirmation starts with; the whole by default. */
  readonly onClose: (position: Position, sharePercent?: number) => void;
}

const shares = [25, 50, 75] as const;

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

/** The shares of a position that can be closed; the confirmation follows. Nothing closes in part at a later price. */
interface CloseMenuProps extends Omit<CloseButtonProps, 'className'> {
  readonly steps: Steps;
}

export function CloseMenu({ position, steps, onClose, size = 'regular' }: CloseMenuProps) {
  const [isLadder, setLadder] = useState(false);
  const { symbol, side } = position;
  const later = useLaterClose(symbol);
  const ladder = isLadder ? (
    <LadderDialog
      position={position}
      limits={steps.limits}
      onClose={() => setLadder(false)}
      waiting={dialogFallback}
    />
  ) : null;
  if (later !== null) return ladder;
  const label = `Partial close of ${symbol} ${sideLabel(side).toLowerCase()}`;
  return (
    <>
      <Menu
        label={label}
        align="end"
        trigger={
          <Button size={size} className={size === 'compact' ? 'w-6 !px-0' : 'w-11 !px-0'} aria-label={label}>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        }
      >
        {shares.map((share) => (
          <MenuItem key={share} onSelect={() => onClose(position, share)}>
            {share === 50 ? 'Close half (50 %)' : `Close ${share} %`}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => onClose(position)}>Close all of it (100 %)</MenuItem>
        <MenuItem onSelect={() => setLadder(true)}>Close at limit prices…</MenuItem>
      </Menu>
      {ladder}
    </>
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
