/**
 * The trader beside the conversation (A103): account, open positions, the state of the identity check and earlier
 * sessions. It never shows documents. All data is of the time in its footer.
 */
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import Clock from 'lucide-react/icons/clock';
import Minus from 'lucide-react/icons/minus';
import Star from 'lucide-react/icons/star';
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useState } from 'react';
import { Amount, formatFigure, Pnl, Price, Share, Size } from '../../../shared/numbers/index.ts';
import { getErrorMessage, type Position } from '../../../shared/supabase/index.ts';
import { formatClock, formatDay } from '../../../shared/time/dates.ts';
import {
  type BadgeVariant,
  EmptyState,
  IconBadge,
  IconButton,
  ReadError,
  Skeleton,
} from '../../../shared/ui/index.ts';
import { SideLabel } from '../../../shared/ui/SideLabel.tsx';
import { type PairSteps, usePairSteps } from '../../market/index.ts';
import {
  type CurrentTrader,
  getMarginUse,
  getPositionFigures,
  getTotalPnl,
  type PositionFigures,
  toPositions,
  useCurrentTrader,
  type Wallet,
} from './current-trader.ts';
import { EarlierSession } from './EarlierSession.tsx';

const warnFrom = 50;
const gravestFrom = 80;

const kycStyles: Record<CurrentTrader['user']['kyc_status'], BadgeVariant> = {
  unverified: { tone: 'neutral', label: 'Not verified', Icon: Minus },
  pending: { tone: 'warn', label: 'Pending', Icon: Clock },
  verified: { tone: 'up', label: 'Verified', Icon: Check },
  rejected: { tone: 'down', label: 'Rejected', Icon: X },
};
const tradingStyles = {
  free: { tone: 'up', label: 'Not restricted', Icon: Check },
  restricted: { tone: 'down', label: 'Restricted', Icon: Ban },
} as const satisfies Record<string, BadgeVariant>;

function Part({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <section aria-label={title} className="border-b border-line px-4 py-3">
      <div className="flex min-h-6 items-center gap-2">
        <h3 className="text-13 font-semibold">{title}</h3>
        <span className="ml-auto text-13">{aside}</span>
      </div>
      {children}
    </section>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex h-[26px] items-center justify-between gap-3 text-12">
      <dt className="text-text-2">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </div>
  );
}

function Bar({ share, tone }: { readonly share: number; readonly tone: string }) {
  return (
    <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-line">
      <span className={`block h-full ${tone}`} style={{ width: `${Math.min(100, Math.max(0, share))}%` }} />
    </span>
  );
}

function Account({ wallet }: { readonly wallet: Wallet | null }) {
  if (wallet === null) return <p className="text-12 text-text-2">This account has no wallet.</p>;
  const { used: held, share } = getMarginUse(wallet);
  return (
    <>
      <div className="grid grid-cols-2 gap-2 pt-1">
        <div>
          <p className="text-12 text-text-2">Balance</p>
          <Amount value={wallet.balance} className="text-20 font-semibold" />
        </div>
        <div>
          <p className="text-12 text-text-2">Available</p>
          <Amount value={wallet.available_balance} className="text-20 font-semibold" />
        </div>
      </div>
      <div className="py-1.5">
        <Bar share={share ?? 0} tone="bg-accent" />
      </div>
      <p className="flex justify-between gap-2 text-12 text-text-2">
        <span>
          Held <Amount value={held} />
          {share === null ? null : (
            <>
              , <Share value={share} /> of balance
            </>
          )}
        </span>
        <span>{wallet.currency}</span>
      </p>
    </>
  );
}

interface PositionLineProps {
  readonly position: Position;
  readonly figures: PositionFigures;
  readonly steps: PairSteps;
}

function PositionLine({ position, figures, steps: { tickSize, stepSize } }: PositionLineProps) {
  const { side, symbol, leverage, size, entryPrice, markPrice, liquidationPrice } = position;
  const { pnl, distanceToLiquidation } = figures;
  const tone =
    (distanceToLiquidation ?? 0) >= gravestFrom
      ? 'bg-down'
      : (distanceToLiquidation ?? 0) >= warnFrom
        ? 'bg-warn'
        : 'bg-accent';
  return (
    <li className="border-t border-line/60 py-2 text-12 first:border-t-0">
      <p className="flex items-center gap-2">
        <span className="text-13 font-semibold">{symbol}</span>
        <SideLabel side={side} />
        <span className="figures text-text-2">{`${leverage}×`}</span>
        <span className="ml-auto text-13 font-semibold">
          <Pnl value={pnl} />
        </span>
      </p>
      <p className="flex justify-between gap-2 text-text-2">
        <span>
          <Size value={size} stepSize={stepSize} /> at <Price value={entryPrice} tickSize={tickSize} />
        </span>
        <span>
          Mark <Price value={markPrice} tickSize={tickSize} />
        </span>
      </p>
      <div className="py-1">
        <Bar share={distanceToLiquidation ?? 0} tone={tone} />
      </div>
      <p className="flex justify-between gap-2 text-text-2">
        <span>
          Liq. <Price value={liquidationPrice} tickSize={tickSize} />
        </span>
        <span className="figures">
          {distanceToLiquidation === null
            ? 'No price'
            : distanceToLiquidation === 0
              ? 'In profit'
              : `${formatFigure(Math.floor(distanceToLiquidation), 0)}% of the way`}
        </span>
      </p>
    </li>
  );
}

function Positions({ attended: currentTrader }: { readonly attended: CurrentTrader }) {
  const stepsOf = usePairSteps();
  const positions = toPositions(currentTrader).map((position) => ({
    position,
    figures: getPositionFigures(position),
  }));
  const total = getTotalPnl(positions.map(({ figures }) => figures));
  return (
    <Part
      title={`Open positions (${positions.length})`}
      aside={positions.length === 0 ? null : <Pnl value={total} className="font-semibold" />}
    >
      {positions.length === 0 ? <p className="text-12 text-text-2">None.</p> : null}
      <ul>
        {positions.map(({ position, figures }) => (
          <PositionLine
            key={position.id}
            position={position}
            figures={figures}
            steps={stepsOf(position.symbol)}
          />
        ))}
      </ul>
    </Part>
  );
}

type Earlier = CurrentTrader['earlier'][number];

function EarlierSessions({
  earlier,
  username,
}: {
  readonly earlier: readonly Earlier[];
  readonly username: string;
}) {
  const [shown, setShown] = useState<Earlier | null>(null);
  return (
    <Part title={`Earlier sessions (${earlier.length})`}>
      {earlier.length === 0 ? <p className="text-12 text-text-2">This is the first session.</p> : null}
      <ul>
        {earlier.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => setShown(one)}
              className="-mx-2 flex min-h-8 w-[calc(100%+16px)] items-center gap-2 rounded-control px-2 text-left text-12 hover:bg-raised max-md:min-h-11"
            >
              <span className="figures text-text-2">{formatDay(one.created_at)}</span>
              <span>{one.messages === 1 ? '1 message' : `${one.messages} messages`}</span>
              <span className="ml-auto inline-flex items-center gap-1 text-text-2">
                {one.rating === null ? (
                  'not rated'
                ) : (
                  <>
                    <Star size={12} aria-hidden="true" className="text-star" />
                    <span className="figures">
                      <span className="sr-only">rated </span>
                      {one.rating}
                      <span className="sr-only"> of 5</span>
                    </span>
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown === null ? null : (
        <EarlierSession session={shown} username={username} onClose={() => setShown(null)} />
      )}
    </Part>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading the trader" className="flex flex-col gap-3 p-4">
      <Skeleton className="h-4 w-20" />
      <Skeleton className="h-7 w-full" />
      <Skeleton className="h-1 w-full" />
      {[0, 1, 2, 3].map((at) => (
        <Skeleton key={at} className="h-4 w-full" />
      ))}
      <Skeleton className="h-20 w-full" />
    </div>
  );
}

interface TraderPanelProps {
  readonly sessionId: string;
  /** The account can be read while the conversation is open. */
  readonly state: 'open' | 'over';
  /** Null where the panel is always shown beside the conversation. */
  readonly onShut: (() => void) | null;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

function Contents({ sessionId, state }: Pick<TraderPanelProps, 'sessionId' | 'state'>) {
  const reading = useCurrentTrader(sessionId, state);
  const { data: currentTrader, error, isError, dataUpdatedAt } = reading;
  if (!currentTrader) {
    if (state === 'over') {
      return (
        <EmptyState title="This session is closed">
          You can see the account while a session of the trader is open.
        </EmptyState>
      );
    }
    if (!isError) return <PanelSkeleton />;
    return (
      <ReadError
        title="The account could not be loaded"
        detail={getErrorMessage(error, 'You can see it while the session is open.')}
        reading={reading}
      />
    );
  }
  const { user, wallet, earlier } = currentTrader;
  return (
    <>
      <Part title="Account">
        <Account wallet={wallet} />
        <dl className="pt-1">
          <Line name="Email">{user.email}</Line>
          <Line name="Member since">{formatDay(user.created_at)}</Line>
          <Line name="Last login">{formatDay(user.last_login)}</Line>
          <Line name="Trading">
            <IconBadge
              variant={user.restricted_at === null ? tradingStyles.free : tradingStyles.restricted}
            />
          </Line>
        </dl>
      </Part>
      <Positions attended={currentTrader} />
      <Part title="KYC" aside={<IconBadge variant={kycStyles[user.kyc_status]} />}>
        <p className="text-12 text-text-2">Documents are visible to administrators only.</p>
      </Part>
      <EarlierSessions earlier={earlier} username={user.username} />
      <p role="status" className="px-4 py-2 text-11 text-text-3">
        {isError || state === 'over'
          ? `Not current: as of ${formatClock(new Date(dataUpdatedAt).toISOString())}`
          : 'Simulated money. Updated every 5 s.'}
      </p>
    </>
  );
}

export function TraderPanel({ sessionId, state, onShut, heading }: TraderPanelProps) {
  return (
    <aside aria-label="About the trader" className="h-full overflow-y-auto overscroll-contain bg-surface">
      <div className="flex h-12 items-center border-b border-line px-4">
        <h2 ref={heading} tabIndex={-1} className="text-14 font-semibold outline-none">
          About the trader
        </h2>
        {onShut === null ? null : (
          <IconButton label="Close this panel" onClick={onShut} className="-mr-2 ml-auto">
            <X size={16} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <Contents key={sessionId} sessionId={sessionId} state={state} />
    </aside>
  );
}
