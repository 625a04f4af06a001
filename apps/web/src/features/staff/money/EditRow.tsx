/** One row of the form: current value, field for the new value, and difference. A change can be undone. */
import { MAX_LEVERAGE, MIN_LEVERAGE, parseDecimal, toNumber } from '@fulcrum/domain';
import MoveRight from 'lucide-react/icons/move-right';
import Undo2 from 'lucide-react/icons/undo-2';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { formatExact, formatFigure, toPlainMinus } from '../../../shared/numbers/index.ts';
import { IconButton, Segmented } from '../../../shared/ui/index.ts';
import { SideLabel } from '../../../shared/ui/SideLabel.tsx';
import { type EditField, fieldSpecs, stepFieldText } from './edit-form.ts';
import { formatMoney, formatValue } from './format-position.ts';
import type { EditedPosition } from './requests.ts';

interface EditRowProps {
  readonly field: EditField;
  readonly position: EditedPosition;
  /** The value before another user changed it; null without such a change. */
  readonly before: EditedPosition | null;
  readonly text: string;
  readonly isChanged: boolean;
  readonly error: string | undefined;
  readonly onType: (text: string) => void;
  readonly onUndo: () => void;
  readonly children?: ReactNode;
}

const sides = [
  { value: 'BUY', label: 'BUY', tone: 'up' },
  { value: 'SELL', label: 'SELL', tone: 'down' },
] as const;
const stepsByKey: Readonly<Record<string, bigint>> = { ArrowUp: 1n, ArrowDown: -1n };
const units: Readonly<Partial<Record<EditField, string>>> = {
  leverage: `${MIN_LEVERAGE} to ${MAX_LEVERAGE}`,
  realized_pnl: 'USDT',
  created_at: 'UTC',
  closed_at: 'UTC',
};

/** The difference between new and current value; empty for values that can't be compared. */
function Difference({
  field,
  now,
  text,
}: {
  readonly field: EditField;
  readonly now: number;
  readonly text: string;
}) {
  const typed = Number(toPlainMinus(text));
  if (!Number.isFinite(typed)) return null;
  const difference = toNumber(parseDecimal(typed.toFixed(8)) - parseDecimal(now));
  if (difference === 0) return null;
  if (field === 'realized_pnl') {
    return (
      <span className={difference > 0 ? 'text-up' : 'text-down'}>{formatMoney(difference, 'always')}</span>
    );
  }
  const decimals = formatExact(difference).split('.')[1]?.length ?? 0;
  return <span>{formatFigure(difference, field === 'leverage' ? 0 : decimals, 'always')}</span>;
}

export function EditRow({
  field,
  position,
  before,
  text,
  isChanged,
  error,
  onType,
  onUndo,
  children,
}: EditRowProps) {
  const id = useId();
  const { label, kind, step, closedOnly } = fieldSpecs[field];
  const isDisabled = closedOnly && position.status === 'open';
  const now = position[field];
  const isTheirs = before !== null && before[field] !== now;
  const unit = units[field];
  const isNumber = kind !== 'side' && kind !== 'time';
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = stepsByKey[event.key];
    if (direction === undefined || !isNumber) return;
    event.preventDefault();
    onType(stepFieldText(field, text, event.shiftKey ? direction * 10n : direction));
  };
  const numeric = Number(toPlainMinus(text));
  return (
    <div
      className={`border-l-[3px] py-1.5 pr-6 pl-[21px] max-md:px-3 ${isChanged ? 'border-accent bg-accent/5' : 'border-transparent'}`}
    >
      <div className="grid min-h-9 grid-cols-[124px_minmax(110px,154px)_14px_224px_minmax(0,1fr)] items-center gap-x-3 max-xl:grid-cols-[104px_minmax(88px,1fr)_14px_196px_88px] max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-y-1">
        {kind === 'side' ? (
          <span className="text-13 font-semibold">{label}</span>
        ) : (
          <label htmlFor={id} className="text-13 font-semibold">
            {label}
          </label>
        )}
        <span
          id={`${id}-now`}
          className={`figures text-right text-13 max-md:col-start-1 max-md:row-start-3 max-md:text-left max-md:text-12 ${isChanged ? 'text-text-3' : 'text-text-2'}`}
        >
          <span className="sr-only md:hidden max-md:not-sr-only">Current </span>
          {isTheirs ? (
            <>
              <s className="text-text-3">
                <span className="sr-only">Was </span>
                {formatValue(field, before[field])}
              </s>{' '}
              <span className="font-semibold text-warn">{formatValue(field, now)}</span>
              <span className="sr-only">, changed by another user</span>
            </>
          ) : kind === 'side' && !isChanged ? (
            <SideLabel side={position.side} />
          ) : (
            <span className={isChanged ? 'line-through' : ''}>{formatValue(field, now)}</span>
          )}
        </span>
        <MoveRight
          size={14}
          aria-hidden="true"
          className={`max-md:hidden ${isChanged ? 'text-accent' : 'text-text-3/50'}`}
        />
        <div className="max-md:col-span-2 max-md:row-start-2">
          {kind === 'side' ? (
            <Segmented
              label={label}
              options={sides}
              value={text === 'SELL' ? 'SELL' : 'BUY'}
              onChange={onType}
            />
          ) : (
            <div
              className={`control flex h-9 items-center gap-1.5 pr-1.5 pl-3 max-md:h-11 ${isChanged && error === undefined ? 'border-accent' : ''} ${isDisabled ? 'opacity-60' : ''}`}
            >
              <input
                id={id}
                type="text"
                inputMode={isNumber ? 'decimal' : 'text'}
                autoComplete="off"
                spellCheck={false}
                disabled={isDisabled}
                {...(isNumber && {
                  role: 'spinbutton',
                  step,
                  'aria-valuenow': text !== '' && Number.isFinite(numeric) ? numeric : undefined,
                  'aria-valuetext': text || 'empty',
                })}
                {...(kind === 'leverage' && { 'aria-valuemin': MIN_LEVERAGE, 'aria-valuemax': MAX_LEVERAGE })}
                aria-invalid={error === undefined ? undefined : true}
                aria-describedby={`${id}-now${error === undefined ? '' : ` ${id}-error`}`}
                placeholder={isDisabled ? 'After closing' : 'Empty'}
                value={text}
                onChange={(event) => onType(event.target.value)}
                onKeyDown={onKeyDown}
                className={`figures h-full w-0 min-w-0 grow bg-transparent text-13 outline-none max-md:text-16 ${isChanged ? 'font-semibold' : ''}`}
              />
              {unit === undefined || isDisabled ? null : <span className="text-11 text-text-3">{unit}</span>}
              {isChanged ? (
                <IconButton label={`Undo ${label}`} onClick={onUndo} className="!size-6 max-md:!size-9">
                  <Undo2 size={14} aria-hidden="true" />
                </IconButton>
              ) : null}
            </div>
          )}
        </div>
        <span className="figures text-right text-13 font-semibold max-md:col-start-2 max-md:row-start-3 max-md:text-12">
          {isChanged && isNumber && error === undefined && text.trim() !== '' && typeof now === 'number' ? (
            <Difference field={field} now={now} text={text} />
          ) : null}
        </span>
      </div>
      {error === undefined ? null : (
        <p
          id={`${id}-error`}
          className="mt-1 text-12 text-down md:pl-[calc(124px+154px+14px+36px)] max-lg:pl-0"
        >
          {error}
        </p>
      )}
      {children}
    </div>
  );
}
