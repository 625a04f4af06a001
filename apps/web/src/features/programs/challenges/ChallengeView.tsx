/** One challenge: its rules, and attempts with where they stand or how they were decided. For traders and staff. */
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Amount, formatFigure } from '../../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { formatDatedClock } from '../../../shared/time/dates.ts';
import { Badge, Button, EmptyState, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { CertificateButton } from '../CertificateButton.tsx';
import { FactList } from '../FactList.tsx';
import { HashLine } from '../HashLine.tsx';
import { markStateLabels } from '../labels.ts';
import { attemptLabels, challengePhaseLabels, dayEndText, ruleFacts, ruleLabels } from './labels.ts';
import {
  type Attempt,
  type AttemptStep,
  attemptsQuery,
  type Challenge,
  type Figures,
  type Verdict,
} from './queries.ts';

const usdt = (text: string): string => `${formatFigure(Number(text), 2)} USDT`;

export function ChallengePhaseBadge({ of }: { readonly of: Pick<Challenge, 'phase'> }) {
  const { text, tone } = challengePhaseLabels[of.phase];
  return <Badge tone={tone}>{text}</Badge>;
}

/** How much of the way from `from` to `to` is done, with its text. */
function ProgressBar({
  label,
  share,
  tone,
  text,
}: {
  readonly label: string;
  readonly share: number;
  readonly tone: 'up' | 'down';
  readonly text: string;
}) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap justify-between gap-x-3 text-12">
        <span className="text-text-3">{label}</span>
        <span className="figures">{text}</span>
      </div>
      <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-line">
        <div className={`h-full ${tone === 'up' ? 'bg-up' : 'bg-down'}`} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}

/** What is left to lose until a floor. */
function LossMargin({
  label,
  value,
  floor,
  allowed,
}: {
  readonly label: string;
  readonly value: string;
  readonly floor: string;
  readonly allowed: string;
}) {
  const left = Number(value) - Number(floor);
  return (
    <ProgressBar
      label={label}
      share={1 - left / Number(allowed)}
      tone="down"
      text={`${formatFigure(left, 2)} above ${usdt(floor)}`}
    />
  );
}

export function Progress({ figures, daysMin }: { readonly figures: Figures; readonly daysMin: number }) {
  const { equity, maxLoss, dailyLoss, profit, profitNeeded, tradingDays, deadline } = figures;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-x-6 gap-y-3 md:grid-cols-3">
        <ProgressBar
          label="Profit"
          share={Number(profit) / Number(profitNeeded)}
          tone="up"
          text={`${formatFigure(Number(profit), 2)} of ${usdt(profitNeeded)}`}
        />
        {dailyLoss ? <LossMargin label="Daily loss" {...dailyLoss} /> : null}
        <LossMargin label="Maximum loss" value={equity} floor={maxLoss.floor} allowed={maxLoss.allowed} />
      </div>
      <FactList
        facts={[
          ['Equity', <Amount key="equity" value={Number(equity)} />],
          ['Balance', <Amount key="balance" value={Number(figures.balance)} />],
          ['Trading days', daysMin === 0 ? `${tradingDays}` : `${tradingDays} of ${daysMin}`],
          ...(deadline === null ? [] : ([['Decided by', formatDatedClock(deadline)]] as const)),
        ]}
      />
    </div>
  );
}

/** The comparison that decided, in one sentence. */
function reasonOf({ outcome, rule, arithmetic }: Verdict): string {
  const { profit, profitNeeded, tradingDays, equity, maxLoss, dailyLoss, deadline } = arithmetic;
  if (outcome === 'passed')
    return `The profit of ${usdt(profit)} reached the ${usdt(profitNeeded)} that were needed, with ${tradingDays} trading ${tradingDays === 1 ? 'day' : 'days'}.`;
  if (rule === 'daily_loss' && dailyLoss)
    return `${usdt(dailyLoss.value)} is not above the floor of the day: ${usdt(dailyLoss.from)} − ${usdt(dailyLoss.allowed)} = ${usdt(dailyLoss.floor)}.`;
  if (rule === 'time_limit')
    return `The step was undecided on ${formatDatedClock(deadline ?? arithmetic.at)}, with ${usdt(profit)} of ${usdt(profitNeeded)}.`;
  return maxLoss.locked
    ? `The equity of ${usdt(equity)} is not above the floor, which had stopped at ${usdt(maxLoss.floor)}.`
    : `The equity of ${usdt(equity)} is not above the floor: ${usdt(maxLoss.from)} − ${usdt(maxLoss.allowed)} = ${usdt(maxLoss.floor)}.`;
}

function Decided({ verdict }: { readonly verdict: Verdict }) {
  const { outcome, rule, decided_at, marks, arithmetic } = verdict;
  return (
    <div className="flex flex-col gap-2 text-13">
      <p>
        <Badge tone={outcome === 'passed' ? 'up' : 'down'}>
          {rule === null ? 'Passed' : `Not passed: ${ruleLabels[rule]}`}
        </Badge>{' '}
        <span className="text-text-2">{reasonOf(verdict)}</span>
      </p>
      <FactList
        facts={[
          ['Decided', formatDatedClock(decided_at)],
          ['Equity', usdt(arithmetic.equity)],
          ['Balance', usdt(arithmetic.balance)],
        ]}
      />
      <p className="text-12 text-text-3">
        {marks.length === 0
          ? 'Nothing was open.'
          : `Open positions were closed at ${marks
              .map(
                ({ symbol, price, state }) =>
                  `${symbol} ${price}${state === 'live' ? '' : ` (${markStateLabels[state].toLowerCase()})`}`,
              )
              .join(', ')}, the prices that decided.`}
      </p>
    </div>
  );
}

function Step({ of, shown }: { readonly of: AttemptStep; readonly shown: Challenge }) {
  const rules = shown.rules.steps[of.step - 1];
  return (
    <li className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <h4 className="text-13 font-semibold">
        {shown.rules.steps.length === 1 ? 'Standing' : `Step ${of.step} of ${shown.rules.steps.length}`}
        <span className="ml-2 font-normal text-text-3">since {formatDatedClock(of.began_at)}</span>
      </h4>
      {of.verdict ? <Decided verdict={of.verdict} /> : null}
      {of.figures ? <Progress figures={of.figures} daysMin={rules?.daysMin ?? 0} /> : null}
    </li>
  );
}

/** What the result of an attempt that has passed is proved by. */
function Proof({
  of,
  hash,
  shown,
  signedBy,
}: {
  readonly of: Attempt;
  readonly hash: string;
  readonly shown: Challenge;
  readonly signedBy: string;
}) {
  const { rest } = useSupabase();
  return (
    <section aria-label={`Proof of attempt ${of.attempt}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-13 text-text-2">
        <p className="min-w-0 grow basis-60">
          {of.is_self
            ? 'Your certificate states the rules and the verdict of each step. It proves without this server that they were signed and not changed.'
            : 'The trader can download a certificate of the rules and the verdicts.'}
        </p>
        {of.is_self ? (
          <CertificateButton
            name={shown.name}
            read={() => unwrap(rest.rpc('get_challenge_certificate', { p_challenge_id: shown.id }))}
          />
        ) : null}
      </div>
      <HashLine hash={hash} label="Hash">
        The audit log has the SHA-256 of the result:
      </HashLine>
      <HashLine hash={signedBy} label="Key">
        Certificates are signed by the key
      </HashLine>
    </section>
  );
}

interface AttemptCardProps {
  readonly of: Attempt;
  readonly shown: Challenge;
  /** The key of certificates. */
  readonly signedBy: string;
}

function AttemptCard({ of, shown, signedBy }: AttemptCardProps) {
  const { text, tone } = attemptLabels[of.state];
  const last = of.steps.at(-1);
  return (
    <article aria-label={`Attempt ${of.attempt}`} className="border-t border-line">
      <h3 className="flex flex-wrap items-center gap-2 px-4 py-2 text-13 font-semibold">
        Attempt {of.attempt}
        {of.is_self ? null : <bdi className="font-medium">{of.username}</bdi>}
        <Badge tone={tone}>{text}</Badge>
      </h3>
      <ol>
        {of.steps.map((step) => (
          <Step key={step.step} of={step} shown={shown} />
        ))}
        {of.state === 'running' && last?.verdict?.outcome === 'passed' ? (
          <li className="border-t border-line px-4 py-3 text-13 text-text-2">
            The next step opens within seconds.
          </li>
        ) : null}
      </ol>
      {of.result_sha256 === null ? null : (
        <Proof of={of} hash={of.result_sha256} shown={shown} signedBy={signedBy} />
      )}
    </article>
  );
}

/** The newest first; older ones are read on demand. */
function Attempts({ of }: { readonly of: Challenge }) {
  const supabase = useSupabase();
  const [pageCount, setPageCount] = useState(1);
  const pages = useQueries({
    queries: Array.from({ length: pageCount }, (_, page) => attemptsQuery(supabase, of.id, page)),
  });
  const failed = pages.find(({ isLoadingError }) => isLoadingError);
  const isPending = pages.some((page) => page.isPending);
  // Pages that were read at different times may share an attempt.
  const all = new Map(pages.flatMap(({ data }) => data?.attempts ?? []).map((one) => [one.attempt, one]));
  const total = pages[0]?.data?.total ?? 0;
  return (
    <>
      {[...all.values()].map((one) => (
        <AttemptCard key={one.attempt} of={one} shown={of} signedBy={pages[0]?.data?.certificate_key ?? ''} />
      ))}
      {isPending && all.size === 0 ? (
        <div aria-busy="true" className="flex flex-col gap-3 border-t border-line px-4 py-3">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      ) : null}
      {failed === undefined ? null : (
        <div className="border-t border-line py-3">
          <ReadError title="Failed to load the attempts" shape="line" reading={failed} />
        </div>
      )}
      {pages[0]?.data?.attempts.length === 0 ? (
        <div className="border-t border-line">
          <EmptyState title="No attempts yet">
            Where an attempt stands, and its verdict, is shown here.
          </EmptyState>
        </div>
      ) : null}
      {all.size > 0 && total > all.size && failed === undefined ? (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2 text-12 text-text-3">
          {`The newest ${all.size} of ${total} attempts.`}
          <Button size="compact" pending={isPending} onClick={() => setPageCount(pageCount + 1)}>
            Show more
          </Button>
        </div>
      ) : null}
    </>
  );
}

export function ChallengeView({
  shown,
  actions,
}: {
  readonly shown: Challenge;
  readonly actions?: ReactNode;
}) {
  const { rules } = shown;
  return (
    <section aria-labelledby={`challenge-${shown.id}`} className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <h2 id={`challenge-${shown.id}`} className="text-14 font-semibold">
          <bdi>{shown.name}</bdi>
        </h2>
        <ChallengePhaseBadge of={shown} />
        <div className="ml-auto flex gap-2">{actions}</div>
      </div>
      <div className="flex flex-col gap-4 border-t border-line px-4 py-3">
        {shown.description === '' ? null : (
          <p className="text-13 wrap-anywhere text-text-2">{shown.description}</p>
        )}
        <FactList
          facts={[
            [
              'Attempts start',
              `${formatDatedClock(shown.opens_at)} – ${formatDatedClock(shown.starts_until)}`,
            ],
            ['Ends', formatDatedClock(shown.ends_at)],
            ['Open to', shown.class_name ?? 'every trader'],
            ['Start balance', `${formatFigure(Number(rules.startBalance), 2)} USDT`],
            ['Leverage', `at most ${rules.leverageMax}x`],
            ['Open positions', rules.positionsMax === null ? 'no limit' : `at most ${rules.positionsMax}`],
            ['Markets', rules.symbols?.join(', ') ?? 'all'],
            ['Attempts', `at most ${rules.attemptsMax}`],
          ]}
        />
        {rules.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number.
          <section key={index} aria-label={`Rules of step ${index + 1}`} className="flex flex-col gap-2">
            <h3 className="text-13 font-semibold">
              {rules.steps.length === 1 ? 'Rules' : `Step ${index + 1}`}
            </h3>
            <FactList facts={ruleFacts(step)} />
          </section>
        ))}
        <p className="text-12 text-text-3">
          A limit that is touched is broken, at the tick that touches it
          {dayEndText(rules.steps.map(({ dailyLoss }) => dailyLoss))}; equity counts open results. Days are
          those of UTC.
        </p>
      </div>
      <Attempts of={shown} />
    </section>
  );
}
