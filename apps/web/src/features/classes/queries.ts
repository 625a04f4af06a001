/** Classes and their members, as staff read them. */
import type { Database } from '@fulcrum/contract/database';
import { type AttentionKind, attentionOf, type RuleSetName } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import { type Supabase, unwrap } from '../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type Class = Functions['list_classes']['Returns'][number];
export type SaveClassArgs = Functions['save_class']['Args'];

/** What the rule sets of accounts are called where staff choose one. */
export const ruleTexts: Readonly<Record<RuleSetName, string>> = {
  standard: 'Standard: one position a trade',
  'as-specified': 'As specified: one position a trade',
  perpetual: 'Perpetual: one net position a market',
};

/** Whether its accounts open nothing more at `now`, in milliseconds since the epoch. */
export const hasEnded = ({ ends_at }: Pick<Class, 'ends_at'>, now: number): boolean =>
  Date.parse(ends_at) <= now;

export interface Member {
  readonly id: string;
  /** Whether the viewer may change their funds. */
  readonly isFunded: boolean;
  readonly username: string;
  readonly email: string;
  readonly equity: number;
  readonly returnPct: number;
  readonly drawdownPct: number;
  readonly openRisk: number;
  readonly openPositions: number;
  readonly lastTradeAt: string | null;
  readonly lastLogin: string | null;
  readonly attention: AttentionKind | null;
}

const refetchMs = 30_000;
const membersRefetchMs = 5_000;

/** Prefix of all reads of classes. */
export const classesKey = ['staff', 'classes'] as const;
export const classesQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: [...classesKey, 'list'] as const,
    queryFn: ({ signal }) => unwrap(rest.rpc('list_classes', {}).abortSignal(signal)),
    refetchInterval: refetchMs,
  });

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

export const membersQuery = ({ rest }: Supabase, classId: string) =>
  queryOptions({
    queryKey: [...classesKey, 'members', classId] as const,
    queryFn: async ({ signal }): Promise<readonly Member[]> => {
      const rows = await unwrap(rest.rpc('list_class_members', { p_class_id: classId }).abortSignal(signal));
      const now = Date.now();
      return rows.map((row) => {
        const figures = { returnPct: row.return_pct, equity: row.equity, openRisk: row.open_risk };
        return {
          ...{ id: row.user_id, isFunded: row.is_funded_by_caller, username: row.username },
          ...{ email: row.email, drawdownPct: row.drawdown_pct },
          ...{ openPositions: row.open_positions, lastTradeAt: row.last_trade_at, lastLogin: row.last_login },
          ...figures,
          attention: attentionOf(
            {
              ...figures,
              joinedAt: Date.parse(row.joined_at),
              lastLogin: timeOf(row.last_login),
              lastTradeAt: timeOf(row.last_trade_at),
            },
            now,
          ),
        };
      });
    },
    refetchInterval: membersRefetchMs,
  });
