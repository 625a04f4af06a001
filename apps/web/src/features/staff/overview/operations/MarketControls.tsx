/** Price controls for admins: held prices (A106), the recording being replayed, and moves of simulated prices. */
import { formatExact, formatFigure } from '../../../../shared/numbers/index.ts';
import { formatClock } from '../../../../shared/time/dates.ts';
import { formatDuration } from '../../../../shared/time/duration.ts';
import { formatSpeed } from '../../../../shared/time/speed.ts';
import { Button } from '../../../../shared/ui/index.ts';
import type { Controls } from '../useOverview.ts';
import { sourceNames } from './labels.ts';

type Hold = Controls['holds'][number];

const headClass = 'flex min-h-9 items-center justify-between gap-2 text-11 text-text-3';

function HoldRow({
  hold,
  onDecide,
}: {
  readonly hold: Hold;
  readonly onDecide: (isAccepted: boolean) => void;
}) {
  const { symbol, kind, price, source, last_price, last_source, since } = hold;
  const change = (price / last_price - 1) * 100;
  return (
    <li className="py-1.5">
      <div className="flex items-baseline justify-between gap-2 text-13">
        <span className="font-medium">{symbol}</span>
        <span className="figures">
          <span className="text-text-3 line-through">{formatExact(last_price, 0)}</span>{' '}
          {formatExact(price, 0)}
        </span>
      </div>
      <p className="figures text-11 text-text-2">
        {kind === 'jump'
          ? `${formatFigure(change, 1, 'always')}% at once, held since ${formatClock(since)}`
          : `From ${sourceNames[source]} instead of ${sourceNames[last_source]}, since ${formatClock(since)}`}
      </p>
      <div className="mt-1.5 flex gap-2 max-md:gap-3">
        <Button
          size="compact"
          aria-label={`Accept ${formatExact(price, 0)} for ${symbol}`}
          onClick={() => onDecide(true)}
        >
          Accept
        </Button>
        <Button
          size="compact"
          tone="quiet"
          aria-label={`Reject ${formatExact(price, 0)} for ${symbol}`}
          onClick={() => onDecide(false)}
        >
          Reject
        </Button>
      </div>
    </li>
  );
}

export function HeldPrices({
  holds,
  onDecide,
}: {
  readonly holds: readonly Hold[];
  readonly onDecide: (hold: Hold, isAccepted: boolean) => void;
}) {
  if (holds.length === 0) return null;
  return (
    <section aria-label="Held prices" className="border-t border-line px-4 pb-2">
      <div className={headClass}>
        <h3 className="font-normal">Held prices</h3>
        <span className="text-warn">Not traded on</span>
      </div>
      <ul className="divide-y divide-line/65">
        {holds.map((hold) => (
          <HoldRow key={hold.symbol} hold={hold} onDecide={(isAccepted) => onDecide(hold, isAccepted)} />
        ))}
      </ul>
    </section>
  );
}

/** The set speed, with the actual one when the server can't keep up. */
function paceLabel({ paused, jump, speed, actual_speed }: NonNullable<Controls['replay']>): string {
  if (jump !== null) return 'Waiting for a decision';
  if (paused) return 'Paused';
  if (actual_speed === 0) return 'Ended';
  return actual_speed === speed
    ? `Plays at ${formatSpeed(speed)}`
    : `Plays at ${formatSpeed(actual_speed)} instead of ${formatSpeed(speed)}`;
}

export function ReplayControls({
  replay,
  onPause,
  onSpeed,
  onJump,
}: {
  readonly replay: NonNullable<Controls['replay']>;
  readonly onPause: () => void;
  readonly onSpeed: () => void;
  readonly onJump: (decision: 'gap' | 'without') => void;
}) {
  const { position_s, begin_s, end_s, paused, jump } = replay;
  return (
    <section aria-label="Recording" className="border-t border-line px-4 pb-3">
      <div className={headClass}>
        <h3 className="font-normal">Recording</h3>
        <span className={`figures ${jump === null ? 'text-text-2' : 'text-warn'}`}>{paceLabel(replay)}</span>
      </div>
      <p className="figures text-12 text-text-2">
        {`${formatDuration(position_s - begin_s)} of ${formatDuration(end_s - begin_s)}`}
      </p>
      {jump === null ? null : (
        <>
          <p className="mt-1.5 text-13">{jump.text}</p>
          <div className="mt-1.5 flex gap-2 max-md:gap-3">
            <Button size="compact" onClick={() => onJump('gap')}>
              Continue as a gap
            </Button>
            <Button size="compact" tone="quiet" onClick={() => onJump('without')}>
              {`Continue without ${jump.symbol}`}
            </Button>
          </div>
        </>
      )}
      <div className="mt-2 flex gap-2 max-md:gap-3">
        <Button size="compact" onClick={onPause}>
          {paused ? 'Play' : 'Pause'}
        </Button>
        <Button size="compact" tone="quiet" onClick={onSpeed}>
          Change speed
        </Button>
      </div>
    </section>
  );
}

export function Simulation({
  shocks,
  onShock,
}: {
  readonly shocks: Controls['shocks'];
  readonly onShock: () => void;
}) {
  return (
    <section aria-label="Simulation" className="border-t border-line px-4 pb-2">
      <div className={`${headClass} min-h-11`}>
        <h3 className="font-normal">Simulation</h3>
        <Button size="compact" onClick={onShock}>
          Move a price
        </Button>
      </div>
      {shocks.length === 0 ? null : (
        <ul className="pb-1">
          {shocks.map(({ symbol, percent, half_life_minutes, at }) => (
            <li key={`${symbol} ${at}`} className="figures flex justify-between gap-2 py-0.5 text-12">
              <span className="font-medium">{symbol}</span>
              <span className="text-text-2">
                {`${formatFigure(percent, 1, 'always')}%${half_life_minutes === null ? '' : `, half after ${formatDuration(half_life_minutes * 60)}`}, ${formatClock(at)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
