/** A small order form that works up to its submission, which requires an account; the real form then has what was typed here. */
import { DEFAULT_LEVERAGE, MAX_LEVERAGE, type Side } from '@fulcrum/domain';
import Info from 'lucide-react/icons/info';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { Amount, Price } from '../../shared/numbers/index.ts';
import { keepVisitorDraft } from '../../shared/order-draft/visitor-draft.ts';
import { SimulatedBadge } from '../../shared/ui/Badge.tsx';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { previewSymbol } from './market.ts';
import type { TicketFigures } from './preview-ticket.ts';

export interface TypedTicket {
  readonly amount: string;
  readonly leverage: number;
}

interface PreviewTicketProps {
  readonly typed: TypedTicket;
  readonly onType: (typed: TypedTicket) => void;
  /** Null before there is a price. */
  readonly reading: TicketFigures | { readonly objection: string } | null;
  readonly unit: string;
  readonly tickSize: number;
}

const sides = [
  { side: 'BUY', label: 'Buy/Long', tone: 'up' },
  { side: 'SELL', label: 'Sell/Short', tone: 'down' },
] as const;

/** The destination after the login (A43). */
const origin = { from: `/trading?symbol=${previewSymbol}` } as const;

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 py-0.5">
      <dt className="text-text-2">{label}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

interface LeverageProps {
  readonly value: number;
  readonly onChange: (leverage: number) => void;
}

function Leverage({ value, onChange }: LeverageProps) {
  const id = useId();
  const share = ((value - DEFAULT_LEVERAGE) / (MAX_LEVERAGE - DEFAULT_LEVERAGE)) * 100;
  const track = `linear-gradient(to right, var(--accent) ${share}%, var(--line-control) ${share}%)`;
  return (
    <div>
      <div className="flex items-center justify-between text-13">
        <label htmlFor={id} className="text-text-2">
          Leverage
        </label>
        <span aria-hidden="true" className="figures text-14 font-semibold">{`${value}×`}</span>
      </div>
      <input
        id={id}
        type="range"
        min={DEFAULT_LEVERAGE}
        max={MAX_LEVERAGE}
        value={value}
        aria-valuetext={`${value}×`}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        style={{ '--track': track } as Record<`--${string}`, string>}
        className="range max-md:h-11"
      />
      <div aria-hidden="true" className="figures flex justify-between text-11 text-text-3">
        <span>{`${DEFAULT_LEVERAGE}×`}</span>
        <span>{`${MAX_LEVERAGE}×`}</span>
      </div>
    </div>
  );
}

export function PreviewTicket({ typed, onType, reading, unit, tickSize }: PreviewTicketProps) {
  const id = useId();
  const ruleId = `${id}-rule`;
  const figures = reading !== null && 'size' in reading ? reading : null;
  const objection = reading !== null && 'objection' in reading ? reading.objection : null;
  const keep = (side: Side | null) => () => keepVisitorDraft({ ...typed, symbol: previewSymbol, side });
  const waiting = reading === null ? <Skeleton className="h-3 w-16" /> : null;
  return (
    <section aria-label="Order form, to try out" className="flex flex-col">
      <div className="flex h-11 shrink-0 items-center justify-between border-b border-line px-4">
        <h2 className="text-14 font-semibold">Order</h2>
        <SimulatedBadge />
      </div>
      <div className="flex grow flex-col justify-between gap-3 p-4">
        <div>
          <label htmlFor={id} className="text-13 text-text-2">
            Amount
          </label>
          <div className="control mt-1 flex h-10 items-center gap-2 px-3 max-md:h-11">
            <input
              id={id}
              value={typed.amount}
              onChange={(event) => onType({ ...typed, amount: event.target.value })}
              inputMode="decimal"
              autoComplete="off"
              maxLength={24}
              aria-invalid={objection !== null}
              aria-describedby={ruleId}
              className="figures min-w-0 grow bg-transparent text-16 font-semibold outline-none"
            />
            <span className="text-12 text-text-3">{unit}</span>
          </div>
        </div>
        <Leverage value={typed.leverage} onChange={(leverage) => onType({ ...typed, leverage })} />
        <dl aria-live="off" className="text-13">
          <Row label="Order Value">{waiting ?? <Amount value={figures?.orderValue} />}</Row>
          <Row label="Required Margin">{waiting ?? <Amount value={figures?.requiredMargin} />}</Row>
          <Row label="Est. liq. price, long">
            {waiting ?? <Price value={figures?.liquidationLong} tickSize={tickSize} className="text-warn" />}
          </Row>
          <Row label="Est. liq. price, short">
            {waiting ?? <Price value={figures?.liquidationShort} tickSize={tickSize} className="text-warn" />}
          </Row>
        </dl>
        <div>
          <div className="grid grid-cols-2 gap-2">
            {sides.map(({ side, label, tone }) => (
              <ButtonLink
                key={side}
                to="/login"
                state={origin}
                onClick={keep(side)}
                tone={tone}
                size="large"
                className="!px-2"
                aria-describedby={ruleId}
              >
                {label}
              </ButtonLink>
            ))}
          </div>
          <p id={ruleId} className="mt-2 flex min-h-6 items-center gap-2 text-12 text-text-2">
            {objection ?? (
              <>
                <Info size={14} aria-hidden="true" className="shrink-0" />
                <Link
                  to="/login"
                  state={origin}
                  onClick={keep(null)}
                  className="py-0.5 underline decoration-line-control underline-offset-2 hover:text-text max-md:py-3"
                >
                  Log in to place this order
                </Link>
              </>
            )}
          </p>
        </div>
      </div>
    </section>
  );
}
