/** Invitations and the import of users, as the admin's page reads and writes them. */
import type { Database } from '@fulcrum/contract/database';
import type { ImportRow, ReadRow } from '@fulcrum/domain';
import { queryOptions } from '@tanstack/react-query';
import { type Supabase, unwrap } from '../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type Invitation = Functions['list_invitations']['Returns'][number];
export type PreviewedRow = Functions['preview_user_import']['Returns']['rows'][number];
export type ImportedRow = Functions['import_users']['Returns']['rows'][number];
export type LinkDelivery = Functions['import_users']['Args']['p_links'];

const refetchMs = 30_000;

export const invitationsKey = ['staff', 'invitations'] as const;
export const invitationsQuery = ({ rest }: Supabase) =>
  queryOptions({
    queryKey: invitationsKey,
    queryFn: ({ signal }) => unwrap(rest.rpc('list_invitations', {}).abortSignal(signal)),
    refetchInterval: refetchMs,
  });

/** The address that the invited open. */
export const invitationLink = (code: string): string =>
  `${location.origin}/register?code=${encodeURIComponent(code)}`;

/** Rows of one request, so that progress is visible and none exceeds its timeout. */
const batchRows = 50;

/** Sends rows in batches, one after the other; `onBatch` gets the answered ones. @throws RequestError */
export async function inBatches<Answer>(
  rows: readonly ReadRow[],
  send: (rows: ImportRow[]) => Promise<readonly Answer[]>,
  onBatch: (answered: readonly Answer[]) => void,
): Promise<void> {
  for (let first = 0; first < rows.length; first += batchRows) {
    onBatch(await send(rows.slice(first, first + batchRows).map(({ row }) => row)));
  }
}
