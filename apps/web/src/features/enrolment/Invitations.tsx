/** The invitations of this server, the newest first. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import QrCodeIcon from 'lucide-react/icons/qr-code';
import { useMemo, useState } from 'react';
import { RequestDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Amount } from '../../shared/numbers/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { type Column, DataTable } from '../../shared/table/index.ts';
import { DateTime } from '../../shared/time/DateTime.tsx';
import { Badge, type BadgeTone, Button, EmptyState, showToast } from '../../shared/ui/index.ts';
import {
  type InvitationState,
  invitationState,
  NewInvitationDialog,
  ShowInvitationDialog,
} from './InvitationDialogs.tsx';
import { type Invitation, invitationsKey, invitationsQuery } from './queries.ts';

const states: Readonly<Record<InvitationState, { readonly label: string; readonly tone: BadgeTone }>> = {
  open: { label: 'Open', tone: 'up' },
  used: { label: 'Used up', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'down' },
};

type Opened =
  | { readonly kind: 'show' | 'revoke'; readonly invitation: Invitation }
  | { readonly kind: 'new' };

function toColumns(onOpen: (opened: Opened) => void): readonly Column<Invitation>[] {
  return [
    {
      head: 'Code',
      width: '96px',
      card: '1 start',
      cell: ({ code }) => <span className="figures font-medium whitespace-nowrap text-text">{code}</span>,
    },
    {
      head: 'State',
      width: '56px',
      card: '1 end',
      cell: (invitation) => {
        const { label, tone } = states[invitationState(invitation, Date.now())];
        return <Badge tone={tone}>{label}</Badge>;
      },
    },
    {
      head: 'Note',
      width: '140px',
      className: 'max-w-0 min-w-[140px] w-full',
      tooltip: ({ note }) => note,
      card: 'wide line',
      cardCell: ({ note }) => (note === '' ? null : <bdi>{note}</bdi>),
      cell: ({ note }) => (
        <span className="block truncate">
          <bdi>{note}</bdi>
        </span>
      ),
    },
    {
      head: 'Class',
      width: '80px',
      card: 'line',
      cell: ({ class_name }) => class_name,
    },
    {
      head: 'Start balance',
      width: '72px',
      numeric: true,
      card: 'line',
      cell: ({ start_balance }) => (start_balance === null ? 'Usual' : <Amount value={start_balance} />),
    },
    {
      head: 'Registered',
      width: '56px',
      numeric: true,
      card: 'line',
      cell: ({ uses, uses_max }) => `${uses} of ${uses_max}`,
    },
    {
      head: 'Expires',
      width: '120px',
      card: 'line',
      className: 'whitespace-nowrap',
      cell: ({ expires_at }) => <DateTime iso={expires_at} />,
    },
    {
      head: 'Actions',
      width: '120px',
      card: '4 end',
      cell: (invitation) =>
        invitationState(invitation, Date.now()) === 'open' ? (
          <span className="flex justify-end gap-1.5">
            <Button size="compact" onClick={() => onOpen({ kind: 'show', invitation })}>
              <QrCodeIcon size={14} aria-hidden="true" />
              Show
            </Button>
            <Button size="compact" tone="quiet" onClick={() => onOpen({ kind: 'revoke', invitation })}>
              Revoke
            </Button>
          </span>
        ) : null,
    },
  ];
}

export function Invitations() {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const reading = useQuery(invitationsQuery(supabase));
  const [opened, setOpened] = useState<Opened | null>(null);
  const columns = useMemo(() => toColumns(setOpened), []);
  const close = () => setOpened(null);
  const onRevoked = () => {
    showToast('success', 'Invitation revoked');
    void cache.invalidateQueries({ queryKey: invitationsKey });
    close();
  };
  const add = (
    <Button tone="primary" size="compact" onClick={() => setOpened({ kind: 'new' })}>
      <Plus size={14} aria-hidden="true" />
      New invitation
    </Button>
  );
  return (
    <section aria-labelledby="invitations" className="panel overflow-hidden">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 id="invitations" className="grow text-14 font-semibold">
          Invitations
        </h2>
        {add}
      </div>
      <DataTable
        caption="Invitations, newest first"
        columns={columns}
        rows={reading.data}
        reading={reading}
        failed="Failed to load the invitations"
        placeholders={3}
        empty={
          <EmptyState title="No invitations yet">
            One code serves a whole class: show its QR code, or send the link.
          </EmptyState>
        }
      />
      {opened?.kind === 'new' ? (
        <NewInvitationDialog
          onClose={close}
          onCreated={(invitation) => setOpened({ kind: 'show', invitation })}
        />
      ) : null}
      {opened?.kind === 'show' ? (
        <ShowInvitationDialog invitation={opened.invitation} onClose={close} />
      ) : null}
      {opened?.kind === 'revoke' ? (
        <RequestDialog
          title={`Revoke ${opened.invitation.code}`}
          description="No one can register with it from now on. Who has registered with it stays."
          confirm="Revoke invitation"
          tone="down"
          send={() => unwrap(supabase.rest.rpc('revoke_invitation', { p_id: opened.invitation.id }))}
          failed="Failed to revoke the invitation"
          onDone={onRevoked}
          onClose={close}
        />
      ) : null}
    </section>
  );
}
