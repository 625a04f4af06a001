/** Requests of the money dialogs: preview a change, then make it under the dialog's client id. */
import type { Database } from '@fulcrum/contract/database';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
type PositionUpdate = Database['public']['Tables']['positions']['Update'];
export type WalletPreview = Functions['preview_funds']['Returns'];
export type EditPreview = Functions['preview_position_edit']['Returns'];
export type EditChanges = Functions['preview_position_edit']['Args']['p_changes'];
export type HistoryEntry = Functions['get_position_history']['Returns'][number];

/** A decimal is sent as text: a float would lose digits. */
export const previewFunds = (
  supabase: Supabase,
  args: Functions['preview_funds']['Args'],
  signal: AbortSignal,
): Promise<WalletPreview> => unwrap(supabase.rest.rpc('preview_funds', args).abortSignal(signal));

export const adjustFunds = (supabase: Supabase, args: Functions['adjust_wallet_balance']['Args']) =>
  unwrap(supabase.rest.rpc('adjust_wallet_balance', args));

export const previewEdit = (
  supabase: Supabase,
  positionId: string,
  changes: EditChanges,
  signal: AbortSignal,
): Promise<EditPreview> =>
  unwrap(
    supabase.rest
      .rpc('preview_position_edit', { p_position_id: positionId, p_changes: changes })
      .abortSignal(signal),
  );

/** Null when the position does not exist or is not visible to the caller. */
export async function readPosition(supabase: Supabase, id: string, signal: AbortSignal) {
  const [position = null] = await unwrap(
    supabase.rest
      .from('positions')
      .select('*, user:users!positions_user_id_fkey(username)')
      .eq('id', id)
      .abortSignal(signal),
  );
  return position;
}
export type EditedPosition = NonNullable<Awaited<ReturnType<typeof readPosition>>>;

export interface EditRequest {
  readonly changes: EditChanges;
  /** The version that the editor showed. */
  readonly version: number;
  readonly reason: string;
  readonly client_id: string;
}
/** Resolves to the updated row; empty when the position no longer exists. */
export const updatePosition = (supabase: Supabase, id: string, { changes, ...rest }: EditRequest) =>
  unwrap(
    supabase.rest
      .from('positions')
      // The generated types allow numbers only; the server also accepts decimal text, which is exact.
      .update({ ...changes, ...rest } as PositionUpdate)
      .eq('id', id)
      .select('id, version'),
  );

export const readPositionHistory = (
  supabase: Supabase,
  positionId: string,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> =>
  unwrap(supabase.rest.rpc('get_position_history', { p_position_id: positionId }).abortSignal(signal));

/** Keys of the query cache. */
export const moneyKeys = {
  funds: (args: Functions['preview_funds']['Args']) => ['preview-funds', args] as const,
  position: (id: string) => ['edited-position', id] as const,
  edit: (id: string, version: number, changes: string) => ['preview-edit', id, version, changes] as const,
  history: (id: string) => ['position-history', id] as const,
};
