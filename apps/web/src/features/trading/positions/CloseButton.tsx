/**
 * How an open position is closed from its row or card: at once, or while its market is shut at the reopening (A98), which can
 * be taken back until then.
 */
import { texts } from '@fulcrum/contract/texts';
import type { Position } from '../../../shared/supabase/index.ts';
import { announce, Button, type ButtonSize } from '../../../shared/ui/index.ts';
import { sideName } from './PositionFigures.tsx';
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
  const what = `${symbol} ${sideName(side).toLowerCase()}`;
  if (isShut && closeAtReopen) return <UndoButton position={position} what={what} {...look} />;
  if (!isShut) {
    return (
      <Button {...look} aria-label={`Close ${what}`} onClick={() => onClose(position)}>
        Close
      </Button>
    );
  }
  return (
    <Button {...look} aria-label={`${texts.closeAtReopen}, ${what}`} onClick={() => onClose(position)}>
      {texts.closeAtReopen}
    </Button>
  );
}

interface UndoButtonProps extends Omit<CloseButtonProps, 'onClose'> {
  readonly what: string;
}

function UndoButton({ position, what, ...look }: UndoButtonProps) {
  const { want, pending } = useReopening(position);
  const undo = async () => {
    const failure = await want(false);
    if (failure !== null) announce('error', failure);
  };
  return (
    <Button
      {...look}
      pending={pending}
      aria-label={`Undo ${texts.closeAtReopen.toLowerCase()}, ${what}`}
      onClick={undo}
    >
      Undo
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
