/**
 * The support agents (ADMIN-79): status, details and each one's figures of the range. Read-only (A70). The server
 * sets the status to offline a minute after the agent's last connection ends.
 */
import type { SupportStatus } from '@fulcrum/domain';
import { formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { Badge, ButtonLink, EmptyState, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { statusVariants } from '../status-variants.ts';
import { type Agent, useAgents } from './agents.ts';
import { getFirstResponse, getSatisfaction } from './definitions.ts';
import { type Range, rangeUrlState } from './range.ts';
import { useSupportMetrics } from './useSupportMetrics.ts';

const grid = 'grid grid-cols-3 gap-4 max-xl:grid-cols-2 max-md:grid-cols-1';
const cardClass = 'panel flex min-w-0 flex-col';

interface StatusBadgeProps {
  readonly status: SupportStatus;
  /** Chosen as available, but without a connection at the moment. */
  readonly isAway: boolean;
}

function StatusBadge({ status, isAway }: StatusBadgeProps) {
  const { tone, label, dot } = statusVariants[status];
  return (
    <span className="flex shrink-0 items-center gap-2">
      {isAway ? <span className="text-12 text-text-2">Connection lost</span> : null}
      <Badge tone={tone}>
        <span aria-hidden="true" className={`mr-1.5 size-1.5 rounded-full ${dot}`} />
        {label}
      </Badge>
    </span>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div className="flex min-h-[26px] items-center justify-between gap-4">
      <dt className="shrink-0 text-text-2">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  );
}

interface OwnFigureProps {
  readonly name: string;
  readonly value: string;
  readonly beneath: string;
}

function OwnFigure({ name, value, beneath }: OwnFigureProps) {
  return (
    <div className="min-w-0 bg-surface px-4 py-3 first:rounded-bl-panel last:rounded-br-panel">
      <dt className="truncate text-12 text-text-2">{name}</dt>
      <dd className="figures mt-0.5">
        <span className="block truncate text-14 font-semibold">{value}</span>
        <span className="block min-h-5 truncate text-12 text-text-3">{beneath}</span>
      </dd>
    </div>
  );
}

function AgentCard({
  agent,
  range,
  isAway,
}: {
  readonly agent: Agent;
  readonly range: Range;
  readonly isAway: boolean;
}) {
  const { ref, figures, hasFailed } = useSupportMetrics(range, agent.userId);
  const waits = hasFailed ? 'Not available' : '';
  const closed = figures?.resolution.n ?? null;
  return (
    <article ref={ref} aria-label={agent.username} className={cardClass}>
      <div className="flex min-h-14 items-center justify-between gap-3 px-4">
        <h3 className="truncate text-14 font-semibold">{agent.username}</h3>
        <StatusBadge status={agent.status} isAway={isAway} />
      </div>
      <dl className="border-t border-line px-4 py-2 text-13">
        <Detail name="Level">{agent.level}</Detail>
        <Detail name="Department">{agent.department}</Detail>
        <Detail name="Working hours">{agent.hours ?? noFigure}</Detail>
        <Detail name="Specializations">{agent.specializations.join(', ') || noFigure}</Detail>
      </dl>
      <dl
        aria-busy={figures === undefined && !hasFailed}
        className="mt-auto grid grid-cols-3 gap-px border-t border-line bg-line rounded-b-panel"
      >
        <OwnFigure
          name="First response"
          value={figures ? getFirstResponse(figures).value : noFigure}
          beneath={figures ? `n ${formatFigure(figures.first_response.n, 0)}` : waits}
        />
        <OwnFigure
          name="Satisfaction"
          value={figures ? getSatisfaction(figures).value : noFigure}
          beneath={figures ? `${figures.satisfied.n} of ${figures.satisfied.of}` : waits}
        />
        <OwnFigure
          name="Closed"
          value={closed === null ? noFigure : formatFigure(figures?.rated.of ?? 0, 0)}
          beneath={closed === null ? waits : range.phrase}
        />
      </dl>
    </article>
  );
}

function CardSkeleton() {
  return (
    <div className={`${cardClass} h-[253px] p-4`}>
      <div className="flex h-6 justify-between">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-5 w-16" />
      </div>
      <div className="mt-5 flex flex-col gap-3">
        {['w-40', 'w-48', 'w-44', 'w-36'].map((width) => (
          <Skeleton key={width} className={`h-3 ${width}`} />
        ))}
      </div>
    </div>
  );
}

function Cards() {
  const [{ range }] = useUrlState(rangeUrlState);
  const { agents, present } = useAgents();
  if (agents.data === undefined) {
    if (agents.isError) {
      return (
        <div className="panel">
          <ReadError title="Failed to fetch support staff" reading={agents} />
        </div>
      );
    }
    return (
      <div aria-busy="true" className={grid}>
        <span className="sr-only">Loading</span>
        {[0, 1, 2].map((card) => (
          <CardSkeleton key={card} />
        ))}
      </div>
    );
  }
  if (agents.data.length === 0) {
    return (
      <div className="panel">
        <EmptyState
          title="No support staff yet"
          action={<ButtonLink to="/admin?tab=users">Open Users</ButtonLink>}
        >
          Users with the support role appear here with their status and figures.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={grid}>
      {agents.data.map((agent) => (
        <AgentCard
          key={agent.userId}
          agent={agent}
          range={range}
          isAway={agent.status !== 'offline' && present !== null && !present.has(agent.userId)}
        />
      ))}
    </div>
  );
}

export function AgentCards() {
  return (
    <section aria-labelledby="support-staff" className="flex flex-col gap-3">
      <h2 id="support-staff" className="text-14 font-semibold">
        Support staff
      </h2>
      <Cards />
    </section>
  );
}
