/**
 * Edit Position: current and new values side by side, and the effect on the wallet (ADMIN-65 to ADMIN-73, A09, A26). The dialog
 * reads the position when it opens. A key or a click outside does not discard changes.
 */

import { useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, useCallback, useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import {
  Badge,
  Button,
  EmptyState,
  IconButton,
  Modal,
  ReadError,
  Skeleton,
} from '../../../shared/ui/index.ts';
import { SideLabel } from '../../../shared/ui/SideLabel.tsx';
import type { DialogProps } from '../user-dialogs/dialog-props.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { EditForm } from './EditForm.tsx';
import { editFields } from './edit-form.ts';
import { PositionHistory } from './PositionHistory.tsx';
import { type EditedPosition, moneyKeys, readPosition } from './requests.ts';
import { useEdit } from './useEdit.ts';

export interface EditPositionDialogProps extends DialogProps {
  readonly positionId: string;
}

const dialogClass =
  'rise fixed inset-x-6 top-[calc(var(--impersonation-height)+min(112px,12vh))] z-50 mx-auto flex max-h-[calc(100dvh-var(--impersonation-height)-min(112px,12vh)-24px)] max-w-[1064px] flex-col overflow-hidden rounded-dialog border border-line-strong bg-surface shadow-raised max-xl:max-w-[960px] short:inset-x-2 short:top-[calc(var(--impersonation-height)+8px)] short:max-h-[calc(100dvh-var(--impersonation-height)-16px)] max-md:inset-x-0 max-md:top-(--impersonation-height) max-md:bottom-0 max-md:max-h-none max-md:rounded-none max-md:border-0';

const skeleton = (
  <div
    aria-busy="true"
    className="grid min-h-[664px] grow grid-cols-[minmax(0,1fr)_348px] max-xl:grid-cols-[minmax(0,1fr)_300px] max-[959.98px]:block"
  >
    <div className="flex flex-col py-4">
      {editFields.map((field) => (
        <div key={field} className="flex h-12 items-center gap-6 px-6">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="ml-auto h-3.5 w-24 max-md:hidden" />
          <Skeleton className="h-9 w-[224px]" />
        </div>
      ))}
    </div>
    <div className="flex flex-col gap-4 border-l border-line p-6 max-[959.98px]:hidden">
      <Skeleton className="h-8 w-32" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-20 w-full" />
    </div>
  </div>
);

function Heading({ position }: { readonly position: EditedPosition }) {
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-12 text-text-2">
      <span className="font-semibold text-text">{position.symbol}</span>
      <SideLabel side={position.side} />
      <span className="figures">{`${position.leverage}×`}</span>
      <Badge>{position.status === 'open' ? 'Open' : 'Closed'}</Badge>
      <bdi>{position.user?.username ?? unknownUser}</bdi>
      <span className="text-text-3 max-md:hidden" title={position.id}>
        {position.id.slice(0, 8)}
      </span>
    </p>
  );
}

interface EditingProps extends Omit<ComponentProps<typeof EditForm>, 'edit'> {
  readonly opened: EditedPosition;
}
function Editing({ opened, ...rest }: EditingProps) {
  const edit = useEdit(opened);
  return <EditForm edit={edit} {...rest} />;
}

export default function EditPositionDialog({ positionId, onClose, onDone }: EditPositionDialogProps) {
  const { supabase } = useSignedIn();
  const opener = useRef<Element | null>(null);
  const isDirty = useRef<boolean>(false);
  const [isLeaving, setLeaving] = useState(false);
  const reading = useQuery({
    queryKey: moneyKeys.position(positionId),
    queryFn: ({ signal }) => readPosition(supabase, positionId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data: opened, error } = reading;
  const onDirty = useCallback((dirty: boolean) => {
    isDirty.current = dirty;
    if (!dirty) setLeaving(false);
  }, []);
  const leave = () => {
    if (isDirty.current && !isLeaving) setLeaving(true);
    else onClose();
  };

  const content = () => {
    if (opened) {
      return (
        <Editing
          key={opened.id}
          opened={opened}
          onClose={leave}
          onSaved={() => {
            onDone();
            onClose();
          }}
          onDirty={onDirty}
          isLeaving={isLeaving}
          onStay={() => setLeaving(false)}
        />
      );
    }
    if (opened === null) {
      return (
        <EmptyState title="Position not found" action={<Button onClick={onClose}>Close</Button>}>
          It was deleted with its account, or its trader is no longer yours.
        </EmptyState>
      );
    }
    if (error === null) return skeleton;
    return <ReadError title={getErrorMessage(error, 'Failed to fetch the position')} reading={reading} />;
  };

  return (
    <Modal
      onOpenChange={(isOpen) => isOpen || leave()}
      aria-describedby={undefined}
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={() => {
        opener.current = document.activeElement;
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        const focusTarget = opener.current?.isConnected ? opener.current : document.getElementById('content');
        if (focusTarget instanceof HTMLElement) focusTarget.focus({ preventScroll: true });
      }}
      className={dialogClass}
    >
      <div className="flex min-h-[72px] shrink-0 items-center gap-3 border-b border-line px-6 py-3 short:min-h-0 short:py-1 max-md:px-3">
        <div className="min-w-0 grow">
          <Radix.Title className="text-16 font-semibold">Edit Position</Radix.Title>
          {opened ? <Heading position={opened} /> : <Skeleton className="mt-1 h-3.5 w-56" />}
        </div>
        {opened ? <PositionHistory positionId={positionId} /> : null}
        <IconButton label="Close" onClick={leave} className="-mr-1.5">
          <X size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {content()}
    </Modal>
  );
}
