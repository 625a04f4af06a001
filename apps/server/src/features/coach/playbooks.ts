/** What the closed trades of an account's playbooks have earned. */
import type { PlaybookResults } from '@fulcrum/contract';
import {
  type Expectancy,
  type PlaybookTrade,
  playbookResultOf,
  playbookTradesMin,
  toNumber,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { type ClosedRow, closedColumns, toClosedTrade } from './trades.ts';

/** Trades of one answer; the latest ones. */
const tradesMax = 5_000;

interface Playbook {
  readonly id: string;
  readonly criteria: readonly string[];
}
interface AnsweredRow extends ClosedRow {
  readonly playbook_id: string;
  readonly met: readonly string[];
  readonly unmet: readonly string[];
}

const toWire = ({ trades, net, r, rTrades }: Expectancy) => ({
  trades,
  net: net === null ? null : toNumber(net),
  r: r === null ? null : toNumber(r),
  r_trades: rTrades,
});

export async function readPlaybookResults(tx: Queryable, accountId: string): Promise<PlaybookResults> {
  const { rows: playbooks } = await tx.query<Playbook>(
    'select id, criteria from app.playbooks where user_id = $1 order by created_at, id',
    [accountId],
    'playbooks',
  );
  const { rows } = await tx.query<AnsweredRow>(
    `select ${closedColumns}, t.playbook_id, t.met, t.unmet
     from app.playbook_trades t join app.positions p on p.id = t.position_id and p.user_id = t.user_id
     where t.user_id = $1 and p.status = 'closed' order by p.closed_at desc, p.id desc limit ${tradesMax + 1}`,
    [accountId],
    'playbook_trades',
  );
  const tradesOf = new Map<string, PlaybookTrade[]>(playbooks.map(({ id }) => [id, []]));
  for (const { playbook_id, met, unmet, ...row } of rows.slice(0, tradesMax))
    tradesOf.get(playbook_id)?.push({ trade: toClosedTrade(row), met, unmet });
  return {
    playbooks: playbooks.map(({ id, criteria }) => {
      const { all, criteria: byCriterion } = playbookResultOf(criteria, tradesOf.get(id) ?? []);
      return {
        playbook_id: id,
        all: toWire(all),
        criteria: byCriterion.map(({ criterion, met, unmet }) => ({
          criterion,
          met: toWire(met),
          unmet: toWire(unmet),
        })),
      };
    }),
    needed: playbookTradesMin,
    truncated: rows.length > tradesMax,
  };
}
