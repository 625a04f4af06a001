/** Each price source: its state, the number of ticks in the last minute, and the age of its last tick. */
import { formatFigure, noFigure } from '../../../../shared/numbers/index.ts';
import { formatAge } from '../../../../shared/time/age.ts';
import type { OperationsStatus } from '../useOverview.ts';
import { sourceNames, stateVariants, type Tone } from './labels.ts';

type Feed = OperationsStatus['feeds'][number];

const textTones: Readonly<Record<Tone, string>> = {
  up: 'text-up',
  warn: 'text-warn',
  down: 'text-down',
  quiet: 'text-text-3',
};

const barsHeight = 16;

function Bars({ ticks, tone }: { readonly ticks: readonly number[]; readonly tone: Tone }) {
  const maxTicks = Math.max(1, ...ticks);
  return (
    <svg
      role="img"
      aria-label={`${formatFigure(
        ticks.reduce((sum, count) => sum + count, 0),
        0,
      )} ticks in the last minute`}
      viewBox={`0 0 ${ticks.length * 3} ${barsHeight}`}
      className={`h-4 w-[76px] shrink-0 ${textTones[tone]}`}
    >
      {ticks.map((count, slot) => {
        const height = count === 0 ? 1.5 : Math.max(3, (count / maxTicks) * barsHeight);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a slot has no identity but its place
            key={slot}
            x={slot * 3}
            y={barsHeight - height}
            width="2"
            height={height}
            fill="currentcolor"
            opacity={count === 0 ? 0.45 : 1}
          />
        );
      })}
    </svg>
  );
}

const symbolsLabel = ({ symbols, stale_symbols }: Feed): string =>
  `${formatFigure(symbols, 0)} ${symbols === 1 ? 'symbol' : 'symbols'}${stale_symbols > 0 ? `, ${formatFigure(stale_symbols, 0)} stale` : ''}`;

function FeedRow({ feed, at }: { readonly feed: Feed; readonly at: string }) {
  const { label, tone } = stateVariants[feed.state];
  const age = feed.last_tick_at === null ? null : Date.parse(at) - Date.parse(feed.last_tick_at);
  return (
    <li className="px-4 py-1.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 grow">
          <p className="truncate text-13 font-medium">{sourceNames[feed.source]}</p>
          <p className="flex items-center gap-1.5 truncate text-11 text-text-2">
            <span
              aria-hidden="true"
              className={`size-1.5 shrink-0 rounded-full bg-current ${textTones[tone]}`}
            />
            <span className={textTones[tone]}>{label}</span>
            <span className="figures truncate">{symbolsLabel(feed)}</span>
          </p>
        </div>
        <Bars ticks={feed.ticks} tone={tone} />
        <span className={`figures w-12 shrink-0 text-right text-12 ${tone === 'up' ? '' : textTones[tone]}`}>
          {age === null ? noFigure : formatAge(age)}
        </span>
      </div>
      {feed.trouble === null ? null : (
        <p className="mt-0.5 text-11 break-words text-text-2">{feed.trouble}</p>
      )}
    </li>
  );
}

export function Feeds({ feeds, at }: Pick<OperationsStatus, 'feeds' | 'at'>) {
  return (
    <section aria-label="Feeds" className="pb-2">
      <div className="flex h-8 items-center gap-3 px-4 text-11 text-text-3">
        <h3 className="grow font-normal">Feeds</h3>
        <span className="w-[76px]">Last minute</span>
        <span className="w-12 text-right">Age</span>
      </div>
      {feeds.length === 0 ? (
        <p className="px-4 py-1.5 text-12 text-text-2">
          No price source found yet. The server keeps looking.
        </p>
      ) : (
        <ul>
          {feeds.map((feed) => (
            <FeedRow key={feed.source} feed={feed} at={at} />
          ))}
        </ul>
      )}
    </section>
  );
}
