/** The confirmation before a position or a part of it is closed, with its result in live figures. */
import { asSize, formatFixed, parseDecimal, type Size as SizeUnits, sizeDecimals } from '@fulcrum/domain';
import { useId, useMemo, useRef, useState } from 'react';
import { sideLabel } from '../../../shared/account/index.ts';
import { parseAmount, stepAmount } from '../../../shared/decimals/amount.ts';
import { DecimalField } from '../../../shared/decimals/DecimalField.tsx';
import { FigureLine } from '../../../shared/figure-lines/FigureLines.tsx';
import { Amount, formatSize, Size } from '../../../shared/numbers/index.ts';
import { Button, Dialog } from '../../../shared/ui/index.ts';
import { ShareButtons } from '../ticket/ShareButtons.tsx';
import { ClosingSums } from './ClosingSums.tsx';
import type { Closing } from './closing.ts';
import { getRemainder, parseClosingSize, toPartialPosition, toShareSize } from './closing-size.ts';
import { MarkPrice, MarkPriceStatus } from './PositionFigures.tsx';
import type { PositionDialogProps } from './panel-dialog.ts';
import { laterCloseTexts, useLaterClose } from './reopening.ts';

interface CloseDialogProps extends PositionDialogProps {
  readonly closing: Closing;
}

const shares = [25, 50, 75, 100] as const;

export function CloseDialog({ position, steps, closing, fallbackFocus }: CloseDialogProps) {
  const { close, cancel, pending, error, share } = closing;
  const keepButton = useRef<HTMLButtonElement>(null);
  const reasonId = useId();
  const { limits, stepSize, tickSize, baseAsset } = steps;
  const whole = asSize(parseDecimal(position.size));
  const textOf = (size: SizeUnits) => formatFixed(size, sizeDecimals(limits));
  const [text, setText] = useState(() => textOf(toShareSize(position, share, limits)));
  const parsedSize = parseClosingSize(position, text, limits);
  const partSize = parsedSize.kind === 'part' ? parsedSize.size : null;
  // A stale price still closes, at the mark; a closed market or a held price does not.
  const later = useLaterClose(position.symbol);
  const closed = useMemo(
    () => (partSize === null ? position : toPartialPosition(position, partSize)),
    [position, partSize],
  );
  const closedList = useMemo(() => [closed], [closed]);
  const rest = partSize === null ? null : getRemainder(position, closed);
  const side = sideLabel(position.side).toLowerCase();
  const reason = later ? laterCloseTexts[later].reason : parsedSize.kind === 'wrong' ? parsedSize.text : null;
  const step = (steps: bigint) => {
    const typed = parseAmount(text);
    const from = typed.kind === 'amount' ? typed.size : whole;
    setText(textOf(stepAmount(from, steps, { ...limits, minQty: limits.stepSize, maxQty: whole })));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || pending || cancel()}
      initialFocus={keepButton}
      fallbackFocus={fallbackFocus}
      title={`Close ${position.symbol} ${side}?`}
      description={
        <p className="mt-2 text-14">
          Close{' '}
          <span className="figures font-medium text-text">
            {partSize === null
              ? formatSize(position.size, stepSize)
              : `${formatSize(closed.size, stepSize)} of ${formatSize(position.size, stepSize)}`}
          </span>{' '}
          {position.symbol} {side} at{' '}
          <MarkPrice {...position} tickSize={tickSize} className="font-medium text-text" />
          <MarkPriceStatus symbol={position.symbol} steps={steps} className="ml-1" />?
        </p>
      }
      failure={error}
      actions={
        <>
          <Button ref={keepButton} onClick={cancel} muted={pending}>
            Keep it open
          </Button>
          <Button
            tone="primary"
            onClick={() => close(partSize)}
            pending={pending}
            muted={reason !== null}
            aria-describedby={reasonId}
          >
            {partSize === null ? 'Close position' : 'Close part'}
          </Button>
        </>
      }
    >
      <DecimalField
        label="Size to close"
        text={text}
        grid={{ min: limits.stepSize, max: whole, step: limits.stepSize }}
        onType={setText}
        onStep={step}
        unit={baseAsset}
        invalid={parsedSize.kind === 'wrong'}
        describedBy={reasonId}
      >
        <ShareButtons
          legend="Share of the position"
          shares={shares}
          onTake={(taken) => setText(textOf(toShareSize(position, taken, limits)))}
        />
      </DecimalField>
      <p id={reasonId} className="mt-2 mb-1 min-h-8 text-12 leading-4 text-warn">
        {reason}
      </p>
      <ClosingSums positions={closedList}>
        <FigureLine label="Stays open">
          {rest === null ? (
            <span className="font-normal text-text-3">nothing</span>
          ) : (
            <>
              <Size value={rest.size} stepSize={stepSize} unit={baseAsset} />
              <span className="font-normal text-text-3">, margin </span>
              <Amount value={rest.margin} />
            </>
          )}
        </FigureLine>
      </ClosingSums>
    </Dialog>
  );
}
