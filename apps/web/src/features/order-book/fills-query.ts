/** The fills of an order, or those that opened and closed a position. */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, unwrap } from '../../shared/supabase/index.ts';
import type { FilledPart } from './explain-fill.ts';

/** With the times between which it was filled (ISO 8601); an open end is null. */
export type FillsOf = ({ readonly orderId: string } | { readonly positionId: string }) & {
  readonly from: string;
  readonly until: string | null;
  /** Of a net position: its funding so far (A113). */
  readonly funding?: number;
};

/** More of one position are not listed. */
export const fillsMax = 100;

export function useFills({ funding: _, ...of }: FillsOf) {
  const { accountId, supabase } = useSignedIn();
  return useQuery<readonly FilledPart[]>({
    queryKey: [...queryKeys.fills(accountId), of],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const all = supabase.rest.from('executions').select('*');
      const own =
        'orderId' in of
          ? all.eq('order_id', of.orderId)
          : all.or(`position_id.eq.${of.positionId},flipped_from.eq.${of.positionId}`);
      const since = own.gte('created_at', of.from);
      const within = of.until === null ? since : since.lte('created_at', of.until);
      const latest = within.order('created_at', { ascending: false }).order('id').limit(fillsMax);
      return (await unwrap(latest.abortSignal(signal))).map(fromWire);
    },
  });
}
