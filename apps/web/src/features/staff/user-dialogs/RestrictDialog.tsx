/** Restricts a trader or lifts the restriction. A restricted trader opens nothing; open positions can still be closed (A72). */
import { useRepeatableClientId } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import type { UserDialogProps } from './dialog-props.ts';
import { toFormRefusal } from './form-refusal.ts';
import { ReasonDialog } from './ReasonDialog.tsx';

const formatCanceledOrders = (count: number): string =>
  count === 1 ? '1 open order was canceled.' : `${count} open orders were canceled.`;

export default function RestrictDialog({ user, onClose, onDone }: UserDialogProps) {
  const { supabase } = useSignedIn();
  const clientIdOf = useRepeatableClientId();
  const { username } = user;
  const isLifting = user.restricted_at !== null;
  const failed = isLifting ? 'Failed to lift the restriction' : 'Failed to restrict user';

  const send = async (reason: string) => {
    const { orders_canceled: canceled } = await unwrap(
      supabase.rest.rpc('restrict_user', {
        p_user_id: user.id,
        p_restricted: !isLifting,
        p_reason: reason,
        p_client_id: clientIdOf(reason),
      }),
    );
    return () => {
      showToast('success', isLifting ? `${username} can trade again` : `${username} is restricted`, {
        ...(canceled > 0 && { description: formatCanceledOrders(canceled) }),
      });
      onDone();
      onClose();
    };
  };

  return (
    <ReasonDialog
      title={isLifting ? `Lift the restriction of ${username}` : `Restrict ${username}`}
      description={
        isLifting
          ? 'The user can trade again and will be notified.'
          : 'The user can sign in, close positions, cancel orders and chat, but can’t open positions or place orders. Open orders are canceled, and the user will be notified.'
      }
      send={send}
      failed={(cause) => toFormRefusal(failed, cause).text}
      onClose={onClose}
      submit={isLifting ? 'Lift restriction' : 'Restrict user'}
      tone={isLifting ? 'primary' : 'down'}
    />
  );
}
