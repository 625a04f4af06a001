/** The user's support conversations, newest first. Opening one does not mark it as read. */
import type { Row } from '@fulcrum/contract/database';
import Check from 'lucide-react/icons/check';
import MessageCircle from 'lucide-react/icons/message-circle';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { Column } from '../../../../shared/table/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { Button, IconBadge } from '../../../../shared/ui/index.ts';
import { RowsPanel } from '../../rows/RowsPanel.tsx';
import { fetchPage, newestFirst, userKey, withCount } from '../user-queries.ts';
import { useUserUrlState } from '../useUserUrlState.ts';
import type { SectionProps } from './section-props.ts';
import { Transcript } from './Transcript.tsx';

export type Chat = Pick<
  Row<'chat_sessions'>,
  'id' | 'status' | 'created_at' | 'closed_at' | 'last_seq' | 'last_message' | 'rating'
> & { readonly support: { readonly username: string } | null };

const selectedColumns =
  'id, status, created_at, closed_at, last_seq, last_message, rating, support:users!chat_sessions_support_id_fkey(username)';
const statuses = {
  open: { label: 'Open', tone: 'accent', Icon: MessageCircle },
  closed: { label: 'Closed', tone: 'neutral', Icon: Check },
} as const;

const toColumns = (username: string, onRead: (id: string) => void): readonly Column<Chat>[] => [
  { head: 'Began', width: '118px', card: '1 start', cell: ({ created_at: at }) => <DateTime iso={at} /> },
  {
    head: 'Status',
    width: '64px',
    card: '1 end',
    cell: ({ status }) => <IconBadge variant={statuses[status]} />,
  },
  {
    head: 'Last message',
    width: '80%',
    card: 'line',
    className: 'w-2/5 max-w-0 truncate',
    cell: ({ last_message: text }) => (text === null ? '–' : <bdi>{text}</bdi>),
  },
  { head: 'Messages', numeric: true, width: '24px', card: 'line', cell: ({ last_seq: count }) => count },
  {
    head: 'Rating',
    numeric: true,
    width: '40px',
    card: 'line',
    cell: ({ rating }) => (rating === null ? '–' : `${rating} of 5`),
  },
  {
    head: 'Closed',
    width: '118px',
    card: 'line',
    cell: ({ status, closed_at: at, support }) =>
      status === 'open' ? (
        '–'
      ) : (
        <>
          <DateTime iso={at} />
          {support === null ? null : ` by ${support.username}`}
        </>
      ),
  },
  {
    head: 'Read',
    numeric: true,
    width: '48px',
    card: 'line',
    cell: ({ id, created_at: at }) => (
      <Button
        size="compact"
        tone="quiet"
        aria-label={`Read the conversation of ${username} from ${at.slice(0, 10)}`}
        onClick={() => onRead(id)}
      >
        Read
      </Button>
    ),
  },
];

export function Chats({ userId, username, page, onPage }: SectionProps) {
  const { rest } = useSupabase();
  const { chatId, showChat } = useUserUrlState();
  return (
    <>
      <RowsPanel
        title="Support chats"
        caption="Conversations with support, the latest first"
        what="conversations"
        one="conversation"
        queryKey={[...userKey(userId), 'chats']}
        read={(from, signal) => {
          const chats = rest.from('chat_sessions').select(selectedColumns, withCount).eq('user_id', userId);
          return fetchPage(chats.order('created_at', newestFirst).order('id', newestFirst), from, signal);
        }}
        columns={toColumns(username, showChat)}
        page={page}
        onPage={onPage}
        empty={{ title: 'No conversations', text: 'This user has not contacted support.' }}
        failed="Failed to load conversations"
      />
      {chatId === null ? null : (
        <Transcript userId={userId} chatId={chatId} username={username} onClose={() => showChat(null)} />
      )}
    </>
  );
}
