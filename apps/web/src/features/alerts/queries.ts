/** The user's alerts and the requests on them. */
import type { AlertDirection, AlertKind } from '@fulcrum/domain';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { type SignedIn, useSignedIn } from '../../shared/session/index.ts';
import { type Alert, fromWire, latestOf, type Supabase, unwrap } from '../../shared/supabase/index.ts';

type Client = Pick<Supabase, 'rest'>;

/** The limit of a user's alerts is lower. */
const listLimit = 200;

const alertsQuery = ({ accountId, supabase }: Pick<SignedIn, 'accountId' | 'supabase'>) =>
  queryOptions<readonly Alert[]>({
    queryKey: queryKeys.alerts(accountId),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('alerts').select('*').eq('user_id', accountId);
      return (await unwrap(latestOf(request, 'created_at', listLimit, signal))).map(fromWire);
    },
  });
/** Newest first. */
export const useAlerts = () => useQuery(alertsQuery(useSignedIn()));

export interface AlertTerms {
  /** A price of the pair, else per cent: a decimal text. */
  readonly level: string;
  /** Of a change; else the server finds it. */
  readonly direction: AlertDirection | null;
  readonly windowMinutes: number | null;
  readonly repeats: boolean;
}

export interface NewAlert extends AlertTerms {
  /** Made by the client: a request that is sent again is the same alert. */
  readonly id: string;
  readonly kind: AlertKind;
  readonly symbol: string;
  readonly positionId: string | null;
}

export async function createAlert({ rest }: Client, alert: NewAlert): Promise<Alert> {
  const row = await unwrap(
    rest.rpc('create_alert', {
      p_id: alert.id,
      p_kind: alert.kind,
      p_symbol: alert.symbol,
      p_position_id: alert.positionId,
      p_level: alert.level,
      p_direction: alert.direction,
      p_window_minutes: alert.windowMinutes,
      p_repeats: alert.repeats,
    }),
  );
  return fromWire(row);
}

/** Arms the alert with these terms; without any with its present ones. */
export async function changeAlert({ rest }: Client, id: string, terms: Partial<AlertTerms>): Promise<Alert> {
  const row = await unwrap(
    rest.rpc('change_alert', {
      p_alert_id: id,
      p_level: terms.level ?? null,
      p_direction: terms.direction ?? null,
      p_window_minutes: terms.windowMinutes ?? null,
      p_repeats: terms.repeats ?? null,
    }),
  );
  return fromWire(row);
}

export async function pauseAlert({ rest }: Client, id: string): Promise<Alert> {
  return fromWire(await unwrap(rest.rpc('change_alert', { p_alert_id: id, p_paused: true })));
}

export async function deleteAlert({ rest }: Client, id: string): Promise<void> {
  await unwrap(rest.rpc('delete_alert', { p_alert_id: id }));
}
