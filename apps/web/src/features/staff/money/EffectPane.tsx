/** What the edit does: to the wallet, to what follows from it, and what the server holds against it. All of it is the server's. */
import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { formatPercent } from '../../../shared/numbers/index.ts';
import { Button, Skeleton } from '../../../shared/ui/index.ts';
import { columnName, money, valueText } from './look.tsx';
import type { EditedPosition, EditPreview } from './requests.ts';
import { WalletEffect } from './WalletEffect.tsx';

const marks = {
  holds: { Icon: CircleCheck, look: 'text-up', word: 'Holds: ' },
  fails: { Icon: CircleX, look: 'text-down', word: 'Refused: ' },
  told: { Icon: Info, look: 'text-text-3', word: '' },
} as const;

function Line({ mark, children }: { readonly mark: keyof typeof marks; readonly children: ReactNode }) {
  const { Icon, look, word } = marks[mark];
  return (
    <li className="flex items-start gap-2 text-12 leading-[18px] text-text-2">
      <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${look}`} />
      <span>
        <span className="sr-only">{word}</span>
        {children}
      </span>
    </li>
  );
}

type Column = EditPreview['changes'][number]['column'];
const after = (preview: EditPreview, column: Column): string | number | boolean | null | undefined =>
  preview.changes.find((change) => change.column === column)?.after;

/** RULE-11, of the margin before and after; null for an open position. */
function roe(position: EditedPosition, preview: EditPreview | null): number | null {
  const figure = (column: 'entry_price' | 'size' | 'margin' | 'leverage' | 'realized_pnl') =>
    Number((preview && after(preview, column)) ?? position[column]);
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

/** What the balance changes by; zero while nothing is known. */
export const balanceChange = (preview: EditPreview | undefined): number =>
  preview?.after ? difference(preview.after.balance, preview.before.balance) : 0;
const difference = (is: number, was: number): number => toNumber(parseDecimal(is) - parseDecimal(was));

function sentence(preview: EditPreview, isAsked: boolean): string {
  if (!isAsked) return 'No change yet';
  if (preview.after === null) return 'Nothing is booked';
  if (balanceChange(preview) !== 0) return 'Booked once, with this edit';
  const freed = difference(preview.after.available_balance, preview.before.available_balance);
  if (freed === 0) return 'The wallet stays as it is';
  return freed < 0
    ? `${money(-freed)} USDT of what is available are locked as margin`
    : `${money(freed)} USDT of margin become available`;
}

interface EffectPaneProps {
  readonly position: EditedPosition;
  readonly preview: EditPreview | undefined;
  readonly isCurrent: boolean;
  readonly isAsked: boolean;
  /** Columns that were asked for: what else changes follows from them. */
  readonly asked: ReadonlySet<string>;
  readonly onShowBoth: () => void;
}

export function EffectPane({ position, preview, isCurrent, isAsked, asked, onShowBoth }: EffectPaneProps) {
  const change = balanceChange(preview);
  const tone = change > 0 ? 'text-up' : change < 0 ? 'text-down' : '';
  const [was, is] = [roe(position, null), preview ? roe(position, preview) : null];
  const margin = preview && after(preview, 'margin');
  const followers = preview?.changes.filter(({ column }) => !asked.has(column)) ?? [];
  return (
    <div className="flex flex-col gap-3">
      <h3 className="text-13 font-semibold">Wallet effect</h3>
      <div className={`transition-opacity ${isCurrent ? '' : 'opacity-60'}`}>
        <p className="figures leading-8">
          <span className={`text-28 font-semibold tracking-[-0.03em] ${tone}`}>
            {preview ? money(change, 'always') : <Skeleton className="h-7 w-28" />}
          </span>{' '}
          <span className="ml-1 text-12 text-text-3">USDT</span>
        </p>
        <p className="text-12 text-text-2">{preview ? sentence(preview, isAsked) : 'Asking the server'}</p>
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
            <Line mark="holds">{`Loss within the margin of ${money(Number(margin ?? position.margin))}`}</Line>
          ) : null}
          {was === null || is === null ? null : (
            <Line mark="told">
              {was === is
                ? `ROE stays ${formatPercent(was)}`
                : `ROE ${formatPercent(was)} becomes ${formatPercent(is)}`}
            </Line>
          )}
          {followers.map(({ column, before, after: next }) => (
            <Line key={column} mark="told">
              {`${columnName(column)} ${valueText(column, before)} becomes ${valueText(column, next)}`}
            </Line>
          ))}
          {preview?.version === position.version ? (
            <Line mark="holds">{`Unchanged since you opened it, version ${position.version}`}</Line>
          ) : null}
          {/* An answer about an older version is on its way out: the one about this version has been asked for. */}
          {preview && preview.version > position.version ? (
            <Line mark="fails">
              {`Somebody else changed it: version ${preview.version}, you opened ${position.version}. `}
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
