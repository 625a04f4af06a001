/** Exports the answered trades of all playbooks as CSV, playbooks without a trade too. */
import { toCsv } from '@fulcrum/domain';
import { sideLabel, toNetPnl, toRMultiple } from '../../shared/account/index.ts';
import {
  fromWire,
  type Playbook,
  type Position,
  type Supabase,
  unwrap,
} from '../../shared/supabase/index.ts';

/** Rows of one answer (A100). */
const pageRows = 1_000;
/** Ids that an address takes. */
const idsMax = 100;

interface AnsweredTrade {
  readonly playbookId: string;
  readonly met: readonly string[];
  readonly unmet: readonly string[];
  readonly position: Position | undefined;
}

export async function readAnsweredTrades(
  { rest }: Supabase,
  accountId: string,
): Promise<readonly AnsweredTrade[]> {
  const trades: AnsweredTrade[] = [];
  for (let from = 0; ; from += pageRows) {
    const rows = await unwrap(
      rest
        .from('playbook_trades')
        .select('position_id, playbook_id, met, unmet')
        .eq('user_id', accountId)
        .order('position_id')
        .range(from, from + pageRows - 1),
    );
    for (let start = 0; start < rows.length; start += idsMax) {
      const some = rows.slice(start, start + idsMax);
      const ids = some.map(({ position_id }) => position_id);
      const found = await unwrap(rest.from('positions').select('*').in('id', ids));
      const positions = new Map(found.map((row) => [row.id, fromWire(row)]));
      for (const { position_id, playbook_id, met, unmet } of some)
        trades.push({ playbookId: playbook_id, met, unmet, position: positions.get(position_id) });
    }
    if (rows.length < pageRows) return trades;
  }
}

const head = [
  'Playbook',
  'Criteria',
  'Symbol',
  'Side',
  'Opened At',
  'Closed At',
  'Net PnL',
  'R',
  'Met',
  'Not Met',
] as const;

export const playbooksCsv = (playbooks: readonly Playbook[], trades: readonly AnsweredTrade[]): string =>
  toCsv(
    head,
    playbooks.flatMap(({ id, name, criteria }) => {
      const own = trades.filter(({ playbookId }) => playbookId === id);
      const first = [name, criteria.join('\n')];
      if (own.length === 0) return [[...first, null, null, null, null, null, null, null, null]];
      return own.map(({ position, met, unmet }) => [
        ...first,
        position?.symbol ?? null,
        position ? sideLabel(position.side) : null,
        position?.createdAt ?? null,
        position?.closedAt ?? null,
        position ? toNetPnl(position) : null,
        position ? toRMultiple(position) : null,
        met.join('\n'),
        unmet.join('\n'),
      ]);
    }),
  );
