/**
 * Who answers the conversation, and the menu that changes it: agents with their state and load, or back to all. A transfer to
 * a colleague asks for words first; they may stay empty.
 */
import { chatLimits, supportStatuses } from '@fulcrum/domain';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId, useRef, useState } from 'react';
import { failedWith, useRequest } from '../../../shared/form/index.ts';
import { newUuid } from '../../../shared/ids/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  Avatar,
  Button,
  Dialog,
  Menu,
  MenuItem,
  MenuSeparator,
  showToast,
} from '../../../shared/ui/index.ts';
import { statusVariants } from '../status-variants.ts';
import { type Agent, assignSession, type Team } from './team.ts';

interface TransferMenuProps {
  readonly sessionId: string;
  readonly assignedTo: string | null;
  readonly team: Team;
  readonly onAssigned: () => void;
}

/** Available ones first, those with the smaller load before others. */
const byAvailability = (one: Agent, other: Agent): number =>
  supportStatuses.indexOf(one.status) - supportStatuses.indexOf(other.status) ||
  one.assigned - other.assigned ||
  (one.username < other.username ? -1 : 1);

interface Target {
  readonly agentId: string | null;
  readonly name: string;
  readonly clientId: string;
  /** The assignee when the menu was used. */
  readonly expected: string | null;
}

export function TransferMenu({ sessionId, assignedTo, team, onAssigned }: TransferMenuProps) {
  const { supabase, user } = useSignedIn();
  const { run, pending, error, setError } = useRequest();
  const [target, setTarget] = useState<Target | null>(null);
  const [note, setNote] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const ids = useId();
  const name = assignedTo === null ? 'Unassigned' : team.nameOf(assignedTo);

  const targetOf = (agentId: string | null, agentName: string): Target => ({
    agentId,
    name: agentName,
    clientId: newUuid(),
    expected: assignedTo,
  });
  const assign = async ({ agentId, name: to, clientId, expected }: Target, text: string): Promise<void> => {
    const isDone = await run(
      async () => {
        await assignSession(supabase, { sessionId, agentId, expected, note: text, clientId });
      },
      (cause) => {
        const description = failedWith('The session was not assigned. Please try again.')(cause);
        if (text === '' && agentId === user.id) {
          showToast('error', 'The session was not assigned to you', { description, id: 'assign' });
        }
        return description;
      },
    );
    onAssigned();
    if (!isDone) return;
    setTarget(null);
    setNote('');
    showToast(
      'success',
      agentId === null ? 'Given back to all agents' : `Assigned to ${to === 'You' ? 'you' : to}`,
      {
        id: 'assign',
      },
    );
  };
  const open = (next: Target) => {
    setError(null);
    setTarget(next);
  };
  const others = team.agents.filter(({ id }) => id !== user.id && id !== assignedTo).toSorted(byAvailability);
  const label = target?.agentId === null ? 'Give back to all' : 'Transfer';
  return (
    <>
      <Menu
        label="Transfer to"
        align="end"
        trigger={
          <button
            type="button"
            onPointerDown={team.refetch}
            className="inline-flex h-8 max-w-40 shrink-0 items-center gap-1.5 rounded-control border border-line-strong px-2 text-12 font-medium text-text hover:bg-raised max-md:h-11"
          >
            {assignedTo === null ? null : (
              <Avatar username={name === 'You' ? user.username : name} size="small" />
            )}
            <span className="sr-only">Transfer, now: </span>
            <span className={`truncate ${assignedTo === null ? '' : 'max-md:sr-only'}`}>{name}</span>
            <ChevronDown size={12} aria-hidden="true" className="shrink-0" />
          </button>
        }
      >
        {assignedTo === user.id ? null : (
          <MenuItem disabled={pending} onSelect={() => void assign(targetOf(user.id, 'You'), '')}>
            Assign to me
          </MenuItem>
        )}
        {assignedTo === null ? null : (
          <MenuItem onSelect={() => open(targetOf(null, 'all'))}>Back to all</MenuItem>
        )}
        {others.length === 0 ? null : <MenuSeparator />}
        <div className="max-h-72 overflow-y-auto">
          {others.map((agent) => (
            <MenuItem key={agent.id} onSelect={() => open(targetOf(agent.id, agent.username))}>
              <span
                aria-hidden="true"
                className={`size-2 shrink-0 rounded-full ${statusVariants[agent.status].dot}`}
              />
              <span className="min-w-0 truncate">{agent.username}</span>
              <span className="ml-auto pl-3 text-12 text-text-2">
                {`${statusVariants[agent.status].label}, ${agent.assigned} open`}
              </span>
            </MenuItem>
          ))}
        </div>
        {others.length === 0 ? (
          <p className="max-w-56 px-2.5 py-2 text-12 text-text-2">
            There is no other agent to transfer it to.
          </p>
        ) : null}
      </Menu>
      <Dialog
        open={target !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setTarget(null);
        }}
        title={
          target?.agentId === null ? 'Give this session back to all?' : `Transfer to ${target?.name ?? ''}?`
        }
        description={
          target?.agentId === null
            ? 'It is listed for every agent again. The trader is not informed.'
            : 'It moves to their list. The trader is not informed.'
        }
        initialFocus={field}
        outside="stays"
        actions={
          <>
            <Button onClick={() => setTarget(null)}>Cancel</Button>
            <Button tone="primary" pending={pending} onClick={() => target && void assign(target, note)}>
              {label}
            </Button>
          </>
        }
      >
        <label htmlFor={ids} className="block pb-1 text-12 text-text-2">
          Note for colleagues (optional)
        </label>
        <textarea
          ref={field}
          id={ids}
          rows={3}
          value={note}
          maxLength={chatLimits.transferNoteChars}
          readOnly={pending}
          aria-describedby={error === null ? undefined : `${ids}-error`}
          onChange={(event) => setNote(event.target.value)}
          className="control block w-full resize-none px-3 py-2 text-13 max-md:text-16"
        />
        <p id={`${ids}-error`} role="alert" className="pt-2 text-12 text-down empty:hidden">
          {error}
        </p>
      </Dialog>
    </>
  );
}
