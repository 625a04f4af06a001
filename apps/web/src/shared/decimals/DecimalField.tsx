/**
 * A field for a price or an amount: a text input, so that `1.5k` can be typed, with arrow keys that step on the pair's grid
 * (Shift: ten at a time). The field never reformats typed text. Screen readers see a spin button.
 */
import { toDecimalString } from '@fulcrum/domain';
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react';
import { parseAmount } from './amount.ts';

export interface DecimalGrid {
  readonly min: bigint;
  readonly max: bigint;
  readonly step: bigint;
}

interface DecimalFieldProps {
  readonly label: string;
  /** Shown in the field before the figure instead of the label above it. */
  readonly inset?: string;
  readonly text: string;
  readonly grid: DecimalGrid;
  /** Called with the typed text. */
  readonly onType: (text: string) => void;
  /** Called for an arrow key with the number of steps. */
  readonly onStep: (steps: bigint) => void;
  /** Text after the figure: its unit, and its value in the other unit. */
  readonly unit?: ReactNode;
  /** A control at the right of the label. */
  readonly action?: ReactNode;
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly invalid?: boolean;
  readonly describedBy?: string | undefined;
  readonly size?: 'regular' | 'large';
  readonly children?: ReactNode;
}

const stepsByKey: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n };
const figureSizes = {
  regular: 'text-14 font-medium max-md:text-16 pointer-coarse:text-16',
  large: 'text-16 font-semibold max-md:text-20',
} as const;

export function DecimalField({
  label,
  inset,
  text,
  grid,
  onType,
  onStep,
  unit,
  action,
  field,
  placeholder,
  required = false,
  invalid = false,
  describedBy,
  size = 'regular',
  children,
}: DecimalFieldProps) {
  const id = useId();
  const typed = parseAmount(text);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = stepsByKey[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    if (typed.kind !== 'unreadable') onStep(event.shiftKey ? direction * 10n : direction);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className={inset === undefined ? 'flex items-center justify-between gap-2' : 'contents'}>
        <label
          htmlFor={id}
          className={inset === undefined ? 'min-w-0 truncate text-12 text-text-2' : 'sr-only'}
        >
          {label}
        </label>
        {action}
      </div>
      <div className="control flex h-[38px] items-center gap-2 px-3 max-lg:h-12">
        {inset === undefined ? null : (
          <span aria-hidden="true" className="text-12 whitespace-nowrap text-text-3">
            {inset}
          </span>
        )}
        <input
          ref={field}
          id={id}
          type="text"
          inputMode="decimal"
          role="spinbutton"
          autoComplete="off"
          spellCheck={false}
          required={required}
          min={toDecimalString(grid.min)}
          max={toDecimalString(grid.max)}
          step={toDecimalString(grid.step)}
          aria-valuemin={Number(toDecimalString(grid.min))}
          aria-valuemax={Number(toDecimalString(grid.max))}
          aria-valuenow={typed.kind === 'amount' ? Number(toDecimalString(typed.size)) : undefined}
          aria-valuetext={text || 'empty'}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onKeyDown}
          className={`figures h-full w-0 min-w-0 grow bg-transparent outline-none placeholder:font-normal ${figureSizes[size]} ${inset === undefined ? '' : 'text-right'}`}
        />
        {unit === undefined ? null : (
          <span className="figures text-12 whitespace-nowrap text-text-3">{unit}</span>
        )}
      </div>
      {children}
    </div>
  );
}
