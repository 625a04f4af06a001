/**
 * Shared parts of the calculators: the card with its result in the footer, a field with its fault beside the label, a
 * figure with an explanation. Invariant: nothing moves when a fault or a result appears or disappears.
 */
import { asSize, MAX_LEVERAGE, MIN_LEVERAGE, type Side, toDecimalString, UNIT } from '@fulcrum/domain';
import { type ReactNode, useId } from 'react';
import { parseAmount, stepAmount } from '../../shared/decimals/amount.ts';
import { DecimalField } from '../../shared/decimals/DecimalField.tsx';
import { Explained, ExplanationText } from '../../shared/explained/Explained.tsx';
import type { Explanation } from '../../shared/explained/explanation.ts';
import { Button, Segmented } from '../../shared/ui/index.ts';
import { Widget } from '../../shared/widget/index.ts';
import { getArrowKeyStep } from './display-steps.ts';
import type { Fault } from './field-parsing.ts';
import type { Calculators } from './input-texts.ts';
import { explainNonLivePrice, type NonLivePrice } from './non-live-price.ts';
import type { CalculatedPosition } from './order-draft.ts';
import { useFill } from './useCalculator.ts';
import type { CalculatorPair } from './useCalculatorPair.ts';

interface CardProps {
  readonly title: string;
  readonly pair: CalculatorPair;
  /** Null while there is no result. */
  readonly calculated: CalculatedPosition | null;
  /** The results. */
  readonly footer: ReactNode;
  readonly children: ReactNode;
}

export function CalculatorCard({ title, pair, calculated, footer, children }: CardProps) {
  const reasonId = useId();
  const { orderPair, order } = pair;
  const reason =
    orderPair === null
      ? 'There is no market to order in yet.'
      : calculated === null
        ? 'Fill in every field first.'
        : `Fills the order form of ${orderPair.symbol}. Nothing is sent.`;
  const isMuted = orderPair === null || calculated === null;
  return (
    <Widget
      title={title}
      className="h-full"
      aside={
        <>
          <button
            type="button"
            aria-disabled={isMuted || undefined}
            aria-describedby={reasonId}
            title={reason}
            onClick={() => calculated && order(calculated)}
            className={`min-h-6 rounded-[4px] text-12 font-medium whitespace-nowrap max-md:min-h-11 ${isMuted ? 'text-text-3' : 'text-accent hover:underline'}`}
          >
            Use in order form
          </button>
          <span id={reasonId} className="sr-only">
            {reason}
          </span>
        </>
      }
    >
      <div className="flex grow flex-col gap-2 px-4 pt-1 pb-2.5 max-md:gap-3 max-md:pb-4">{children}</div>
      <div className="border-t border-line bg-inset px-4 py-1.5">{footer}</div>
    </Widget>
  );
}

const fillSizes = {
  regular: '!h-[38px] max-md:!h-11',
  compact: '!h-[30px] max-md:!h-11',
} as const;

interface FillButtonProps {
  readonly calculator: keyof Calculators;
  readonly pair: CalculatorPair;
  /** The name of the filled value. */
  readonly fills: string;
  /** `regular` is as high as the side buttons beside it. */
  readonly size?: keyof typeof fillSizes;
}

/** Fills a calculator from the selected pair, on click only. */
export function FillButton({
  calculator,
  pair: { selected, readPrice, balance },
  fills,
  size = 'regular',
}: FillButtonProps) {
  const fillsId = useId();
  const onFill = useFill(calculator);
  if (selected === null) return <span className={fillSizes[size]} />;
  const fill = () => {
    const price = readPrice();
    if (price !== null) onFill({ symbol: selected.symbol, price, balance });
  };
  const text = `Fills in ${fills}. Calculators without figures are filled too.`;
  return (
    <>
      <Button
        onClick={fill}
        title={text}
        aria-describedby={fillsId}
        className={`max-w-40 !px-2.5 !text-12 ${fillSizes[size]}`}
      >
        <span className="truncate">Use {selected.symbol}</span>
      </Button>
      <span id={fillsId} className="sr-only">
        {text}
      </span>
    </>
  );
}

const sideOptions = [
  { value: 'BUY', label: 'Long', tone: 'up' },
  { value: 'SELL', label: 'Short', tone: 'down' },
] as const satisfies readonly { value: Side; label: string; tone: 'up' | 'down' }[];

export function SideChoice({
  side,
  onChange,
}: {
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}) {
  return (
    <div className="min-w-0 grow">
      <Segmented<Side> label="Side" options={sideOptions} value={side} onChange={onChange} />
    </div>
  );
}

interface FigureFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly fault: Fault | null;
  /** Set for a filled price. */
  readonly still?: NonLivePrice | null;
  readonly unit?: string | undefined;
  /** The step of the pair for arrow keys; null uses the last entered decimal. */
  readonly step?: bigint | null;
  readonly min?: bigint;
  readonly max?: bigint;
}

/** Above every market's price: a bound for screen readers, not for the formula. */
const beyondAnyMarket = 1_000_000_000_000n * UNIT;

export function FigureField({
  label,
  text,
  onChange,
  fault,
  still = null,
  unit,
  step = null,
  min = 0n,
  max = beyondAnyMarket,
}: FigureFieldProps) {
  const noteId = useId();
  const note = fault ?? (still && explainNonLivePrice(still, Date.now()));
  const typed = parseAmount(text);
  const typedUnits = typed.kind === 'amount' ? typed.size : null;
  const arrowKeyStep = getArrowKeyStep(step, typedUnits);
  const stepBy = (steps: bigint) => {
    const bounds = { minQty: asSize(min), maxQty: asSize(max), stepSize: asSize(arrowKeyStep) };
    onChange(toDecimalString(stepAmount(asSize(typedUnits ?? 0n), steps, bounds)));
  };
  return (
    <DecimalField
      label={label}
      text={text}
      grid={{ min, max, step: arrowKeyStep }}
      onType={onChange}
      onStep={stepBy}
      unit={unit}
      invalid={fault !== null}
      describedBy={note === null ? undefined : noteId}
      action={
        note === null ? null : (
          <span
            id={noteId}
            title={note.sentence}
            className={`shrink-0 text-11 leading-5 ${fault === null ? 'text-warn' : 'text-down'}`}
          >
            <span aria-hidden="true">{note.short}</span>
            <span className="sr-only">{note.sentence}</span>
          </span>
        )
      }
    />
  );
}

/** The leverage field of a calculator (CALC-02). */
export function LeverageField(props: Pick<FigureFieldProps, 'text' | 'onChange' | 'fault'>) {
  return (
    <FigureField
      {...props}
      label="Leverage"
      unit="×"
      step={UNIT}
      min={BigInt(MIN_LEVERAGE) * UNIT}
      max={BigInt(MAX_LEVERAGE) * UNIT}
    />
  );
}

interface ResultProps {
  readonly name: string;
  readonly explanation: Explanation;
  readonly children: ReactNode;
}

const missing = 'The figures follow once every field is filled in.';

export function ResultName({ name, explanation }: Omit<ResultProps, 'children'>) {
  return (
    <Explained name={name}>
      <ExplanationText name={name} explanation={explanation} missing={missing} />
    </Explained>
  );
}

/** A result in a `dl`; `note` is beneath it. Where both do not fit, the figure is whole and its name is cut. */
export function Result({
  name,
  explanation,
  note = null,
  children,
}: ResultProps & { readonly note?: string | null }) {
  return (
    <div className="grid grid-cols-[minmax(88px,1fr)_minmax(0,auto)] items-center gap-x-3">
      <dt className="flex min-h-6 min-w-0 items-center max-md:min-h-8 md:[&>button]:truncate">
        <ResultName name={name} explanation={explanation} />
      </dt>
      <dd className="truncate text-right text-13 font-medium">{children}</dd>
      {note === null ? null : <dd className="-mt-1 col-span-2 text-11 text-text-3">{note}</dd>}
    </div>
  );
}
