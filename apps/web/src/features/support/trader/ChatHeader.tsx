/** The chat's header: its title, the available agents, and the button for earlier conversations. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import History from 'lucide-react/icons/history';
import { Link } from 'react-router';
import { AssistantButton } from '../../../shared/actions/AssistantButton.tsx';
import { Skeleton } from '../../../shared/ui/index.ts';
import { NotificationBell } from '../../notifications/index.ts';
import { statusVariants } from '../status-variants.ts';
import { formatExpectedReply } from './expected-reply.ts';
import { useSupportPresence } from './useSupportPresence.ts';

const square =
  'inline-flex size-8 shrink-0 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-raised hover:text-text max-md:size-11';

/** Whether the displayed support status and conversation are current. */
export type ChatConnection = 'held' | 'lost';

function Presence({ connection }: { readonly connection: ChatConnection }) {
  const presence = useSupportPresence();
  if (connection === 'lost') {
    return (
      <p role="status" className="flex items-center gap-2 text-12 text-text-2">
        <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-warn" />
        <span className="truncate">Reconnecting. Nothing is lost.</span>
      </p>
    );
  }
  if (presence === null) return <Skeleton className="h-3 w-44" />;
  return (
    <p className="flex items-center gap-2 text-12 text-text-2">
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full ${statusVariants[presence.status].dot}`}
      />
      <span className="line-clamp-2 leading-4">{formatExpectedReply(presence)}</span>
    </p>
  );
}

export function ChatHeader({
  hasEarlier,
  connection,
}: {
  readonly hasEarlier: boolean;
  readonly connection: ChatConnection;
}) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line bg-surface px-4 max-md:pr-1">
      <div className="min-w-0 grow">
        <h1 className="text-16 leading-5 font-semibold">Support Chat</h1>
        <Presence connection={connection} />
      </div>
      {hasEarlier ? (
        <Link
          to="/chat?earlier"
          aria-label="Earlier conversations"
          title="Earlier conversations"
          className={square}
        >
          <History size={18} aria-hidden="true" />
        </Link>
      ) : null}
      <span className="flex md:hidden">
        <AssistantButton />
        <NotificationBell />
      </span>
    </header>
  );
}

/** The header of an earlier conversation, with a button back to the open one. */
export function BackHeader({ title, to }: { readonly title: string; readonly to: string }) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line bg-surface pr-4 pl-2">
      <Link to={to} aria-label="Back" title="Back" className={square}>
        <ArrowLeft size={18} aria-hidden="true" />
      </Link>
      <h1 className="min-w-0 truncate text-16 leading-5 font-semibold">{title}</h1>
    </header>
  );
}
