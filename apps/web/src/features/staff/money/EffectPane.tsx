/** The effect of the edit on the wallet, its consequences, and the server's checks. The server computes all of it. */
import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { formatPercent } from '../../../shared/numbers/index.ts';
import { Button, Skeleton } from '../../../shared/ui/index.ts';
import { columnLabel, formatMoney, formatValue } from './format-position.ts';
import type { EditedPosition, EditPreview } from './requests.ts';
import { WalletEffect } from './WalletEffect.tsx';

const markVariants = {
  holds: { Icon: CircleCheck, className: 'text-up', prefix: 'Holds: ' },
  fails: { Icon: CircleX, className: 'text-down', prefix: 'Refused: ' },
  info: { Icon: Info, className: 'text-text-3', prefix: '' },
} as const;

function Line({
  mark,
  children,
}: {
  readonly mark: keyof typeof markVariants;
  readonly children: ReactNode;
}) {
  const { Icon, className, prefix } = markVariants[mark];
  return (
    <li className="flex items-start gap-2 text-12 leading-[18px] text-text-2">
      <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${className}`} />
      <span>
        <span className="sr-only">{prefix}</span>
        {children}
      </span>
    </li>
  );
}

type Column = EditPreview['changes'][number]['column'];
const valueAfter = (preview: EditPreview, column: Column): string | number | boolean | null | undefined =>
  preview.changes.find((change) => change.column === column)?.after;

/** ROE by RULE-11, of the margin before and after; null for an open position. */
function roe(position: EditedPosition, preview: EditPreview | null): number | null {
  const figure = (column: 'entry_price' | 'size' | 'margin' | 'leverage' | 'realized_pnl') =>
    Number((preview && valueAfter(preview, column)) ?? position[column]);
  if (position.realized_pnl === null) return null;
  const terms = {
    side: position.side,
    entryPrice: asPrice(parseDecimal(figure('entry_price'))),
    size: asSize(parseDecimal(figure('size'))),
    leverage: figure('leverage'),
    margin: asMoney(parseDecimal(figure('margin'))),
  };
  return toNumber(rulesOf(position.rules).closedRoe(terms, asMoney(parseDecimal(figure('realized_pnl')))));
}

/** The change of the balance; zero while it is unknown. */
export const balanceChange = (preview: EditPreview | undefined): number =>
  preview?.after ? difference(preview.after.balance, preview.before.balance) : 0;
const difference = (is: number, was: number): number => toNumber(parseDecimal(is) - parseDecimal(was));

function describeBooking(preview: EditPreview, isRequested: boolean): string {
  if (!isRequested) return 'No change yet';
  if (preview.after === null) return 'Nothing is booked';
  if (balanceChange(preview) !== 0) return 'Booked once, with this edit';
  const freed = difference(preview.after.available_balance, preview.before.available_balance);
  if (freed === 0) return 'The wallet does not change';
  return freed < 0
    ? `${formatMoney(-freed)} USDT move from available to margin`
    : `${formatMoney(freed)} USDT move from margin to available`;
}

interface EffectPaneProps {
  readonly position: EditedPosition;
  readonly preview: EditPreview | undefined;
  readonly isCurrent: boolean;
  readonly isRequested: boolean;
  /** The edited columns; other changes follow from them. */
  readonly requestedColumns: ReadonlySet<string>;
  readonly onShowBoth: () => void;
}

export function EffectPane({
  position,
  preview,
  isCurrent,
  isRequested,
  requestedColumns,
  onShowBoth,
}: EffectPaneProps) {
  const change = balanceChange(preview);
  const tone = change > 0 ? 'text-up' : change < 0 ? 'text-down' : '';
  const [was, is] = [roe(position, null), preview ? roe(position, preview) : null];
  const margin = preview && valueAfter(preview, 'margin');
  const derivedChanges = preview?.changes.filter(({ column }) => !requestedColumns.has(column)) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-13 font-semibold">Wallet effect</h3>
      <div className={`transition-opacity ${isCurrent ? '' : 'opacity-60'}`}>
        <p className="figures leading-8">
          <span className={`text-28 font-semibold tracking-[-0.03em] ${tone}`}>
            {preview ? formatMoney(change, 'always') : <Skeleton className="h-7 w-28" />}
          </span>{' '}
          <span className="ml-1 text-12 text-text-3">USDT</span>
        </p>
        <p className="text-12 text-text-2">
          {preview ? describeBooking(preview, isRequested) : 'Calculating'}
        </p>
      </div>
      <WalletEffect preview={preview} isCurrent={isCurrent} />
      <div role="status">
        <ul className="flex flex-col gap-1.5" aria-label="What the server checks">
          {preview === undefined ? null : preview.refusal === null ? (
            <Line mark="holds">Available stays at or above zero</Line>
          ) : (
            <Line mark="fails">{preview.refusal}</Line>
          )}
          {preview && preview.refusal === null && position.status === 'closed' ? (
            <Line mark="holds">{`Loss within the margin of ${formatMoney(Number(margin ?? position.margin))}`}</Line>
          ) : null}
          {was === null || is === null ? null : (
            <Line mark="info">
              {was === is
                ? `ROE stays ${formatPercent(was)}`
                : `ROE ${formatPercent(was)} becomes ${formatPercent(is)}`}
            </Line>
          )}
          {derivedChanges.map(({ column, before, after: next }) => (
            <Line key={column} mark="info">
              {`${columnLabel(column)} ${formatValue(column, before)} becomes ${formatValue(column, next)}`}
            </Line>
          ))}
          {preview?.version === position.version ? (
            <Line mark="holds">{`Unchanged since you opened it, version ${position.version}`}</Line>
          ) : null}
          {/* A preview of an older version is being replaced: the preview of this version is already requested. */}
          {preview && preview.version > position.version ? (
            <Line mark="fails">
              {`Another user changed it: version ${preview.version}, you opened ${position.version}. `}
              <Button size="compact" onClick={onShowBoth}>
                Show both
              </Button>
            </Line>
          ) : null}
        </ul>
      </div>
    </div>
  );
}
