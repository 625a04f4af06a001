/** A class at a glance: a row a member with figures at the present prices, sortable, with a file of it. The tutors' and the admin's view. */
import {
  type AttentionKind,
  attentionKinds,
  idleDays,
  largeLossPct,
  largeRiskPct,
  toCsv,
} from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Send from 'lucide-react/icons/send';
import { type ReactNode, useMemo, useState } from 'react';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { Amount, formatFigure, Return } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable, type Sorted, toggleSort } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, Button, ButtonLink, EmptyState } from '../../shared/ui/index.ts';
import { EndedBadge } from './EndedBadge.tsx';
import { useMemberActions } from './MemberActions.tsx';
import { MessageDialog } from './MessageDialog.tsx';
import { type Class, type Member, membersQuery } from './queries.ts';

type Sort = 'username' | 'equity' | 'returnPct' | 'drawdownPct' | 'openRisk' | 'lastTradeAt' | 'attention';

const attentionLabels: Readonly<Record<AttentionKind, string>> = {
  'never signed in': 'Never signed in',
  'large loss': 'Large loss',
  'large risk': 'Large risk',
  idle: 'Idle',
};

const memberColumns: readonly Column<Member, Sort>[] = [
  {
    head: 'Member',
    sort: 'username',
    width: '120px',
    card: '1 start',
    tooltip: ({ email }) => email,
    cell: ({ username }) => <bdi className="font-medium text-text">{username}</bdi>,
  },
  {
    head: 'Attention',
    sort: 'attention',
    width: '72px',
    card: '1 end',
    cell: ({ attention }) =>
      attention === null ? null : <Badge tone="warn">{attentionLabels[attention]}</Badge>,
  },
  {
    head: 'Equity',
    sort: 'equity',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ equity }) => <Amount value={equity} />,
  },
  {
    head: 'Return',
    sort: 'returnPct',
    width: '56px',
    numeric: true,
    card: 'line',
    cell: ({ returnPct }) => <Return value={returnPct} />,
  },
  {
    head: 'Drawdown',
    sort: 'drawdownPct',
    width: '56px',
    numeric: true,
    card: 'line',
    cell: ({ drawdownPct }) => <span className="figures">{formatFigure(drawdownPct, 2)} %</span>,
  },
  {
    head: 'Open risk',
    sort: 'openRisk',
    width: '72px',
    numeric: true,
    card: 'line',
    cell: ({ openRisk }) => <Amount value={openRisk} />,
  },
  {
    head: 'Open',
    width: '32px',
    numeric: true,
    card: 'line',
    cell: ({ openPositions }) => openPositions,
  },
  {
    head: 'Last trade',
    sort: 'lastTradeAt',
    width: '120px',
    card: 'line',
    className: 'whitespace-nowrap',
    cell: ({ lastTradeAt }) => (lastTradeAt === null ? 'Never' : <DateTime iso={lastTradeAt} />),
  },
];

const firstOrderOf = (sort: Sort) => (sort === 'username' ? 'ascending' : 'descending');

const rankOf = ({ attention }: Member): number =>
  attention === null ? attentionKinds.length : attentionKinds.indexOf(attention);

function compare(sort: Sort, a: Member, b: Member): number {
  if (sort === 'username') return a.username.localeCompare(b.username);
  if (sort === 'attention') return rankOf(b) - rankOf(a);
  if (sort === 'lastTradeAt') return (a.lastTradeAt ?? '').localeCompare(b.lastTradeAt ?? '');
  return a[sort] - b[sort];
}

function sortMembers(members: readonly Member[], { sort, order }: Sorted<Sort>): readonly Member[] {
  const direction = order === 'ascending' ? 1 : -1;
  return members.toSorted((a, b) => direction * compare(sort, a, b) || a.username.localeCompare(b.username));
}

const toFile = (members: readonly Member[]): string =>
  toCsv(
    [
      ...['Username', 'Email', 'Equity', 'Return%', 'Drawdown%', 'Open Risk', 'Open Positions'],
      ...['Last Trade (UTC)', 'Last Login (UTC)', 'Attention'],
    ],
    members.map((member) => [
      ...[member.username, member.email, member.equity, member.returnPct, round(member.drawdownPct)],
      ...[member.openRisk, member.openPositions, member.lastTradeAt, member.lastLogin, member.attention],
    ]),
  );
const round = (value: number): number => Math.round(value * 10_000) / 10_000;

interface ClassViewProps {
  readonly shown: Class;
  /** Controls beside the heading. */
  readonly actions?: ReactNode;
  /** A further column, of whoever changes the members. */
  readonly more?: Column<Member, Sort>;
}

export function ClassView({ shown, actions, more }: ClassViewProps) {
  const supabase = useSupabase();
  const { selection, bar, dialog } = useMemberActions(shown);
  const reading = useQuery(membersQuery(supabase, shown.id));
  const [sorted, setSorted] = useState<Sorted<Sort>>({ sort: 'attention', order: 'descending' });
  const [isMessaging, setMessaging] = useState(false);
  const projector = useSignedIn().user.role === 'manager' ? '/manager/projector' : '/admin/projector';
  const { data } = reading;
  const rows = useMemo(() => data && sortMembers(data, sorted), [data, sorted]);
  const columns = useMemo(() => (more ? [...memberColumns, more] : memberColumns), [more]);
  const waiting = data?.filter(({ attention }) => attention !== null).length ?? 0;
  const strangers = data?.filter(({ lastLogin }) => lastLogin === null).length ?? 0;
  return (
    <section aria-labelledby={`class-${shown.id}`} className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id={`class-${shown.id}`} className="text-14 font-semibold">
          <bdi>{shown.name}</bdi>
        </h2>
        <EndedBadge of={shown} />
        <p role="status" className="figures grow text-12 text-text-2">
          {data === undefined
            ? ''
            : `${data.length === 1 ? '1 member' : `${data.length} members`}, ${waiting} to look at, ${strangers} never signed in`}
        </p>
        <Button
          size="compact"
          tone="quiet"
          muted={!rows || rows.length === 0}
          onClick={() =>
            downloadText(
              `class_${shown.name}_${formatDayStamp(new Date())}.csv`,
              toFile(rows ?? []),
              'text/csv',
            )
          }
        >
          <Download size={14} aria-hidden="true" />
          File of the class
        </Button>
        <Button
          size="compact"
          tone="quiet"
          muted={!rows || rows.length === 0}
          onClick={() => setMessaging(true)}
        >
          <Send size={14} aria-hidden="true" />
          Message
        </Button>
        <ButtonLink to={`${projector}?class=${shown.id}`} size="compact" tone="quiet">
          Projector
        </ButtonLink>
        {actions}
      </div>
      <DataTable
        caption={`Members of ${shown.name}`}
        columns={columns}
        rows={rows}
        reading={reading}
        failed="Failed to load the members"
        sorted={sorted}
        onSort={(sort) => setSorted((held) => toggleSort(held, sort, firstOrderOf))}
        placeholders={4}
        selection={selection}
        empty={
          <EmptyState title="No members yet">
            Traders join by an invitation or an import that names the class, or an admin adds them.
          </EmptyState>
        }
      />
      {isMessaging ? <MessageDialog shown={shown} onClose={() => setMessaging(false)} /> : null}
      {bar}
      {dialog}
      <p className="border-t border-line px-4 py-2 text-12 text-text-3">
        To look at: never signed in, a return of −{largeLossPct} % or less, an open risk of {largeRiskPct} %
        of the equity, or no trade for {idleDays} days. Open risk is the loss to each stop loss or stop order,
        or the margin of what none covers.
        {rows?.some((row) => selection?.canSelect?.(row) === false)
          ? ' You can select the members who are assigned to you.'
          : ''}
      </p>
    </section>
  );
}
