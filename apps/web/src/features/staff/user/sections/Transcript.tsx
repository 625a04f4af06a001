/** A read-only conversation, starting at its end. Earlier messages load on request. */

import type { Row } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LinkedText } from '../../../../shared/linked-text/index.ts';
import { unwrap, useSupabase } from '../../../../shared/supabase/index.ts';
import { DateTime } from '../../../../shared/time/DateTime.tsx';
import { Button, Dialog, EmptyState, ReadError, Skeleton } from '../../../../shared/ui/index.ts';
import { unknownUser } from '../../user-dialogs/unknown-user.ts';
import { newestFirst, userKey } from '../user-queries.ts';

type Message = Row<'chat_messages'>;
const messagesPage = 50;

function Bubble({ message, username }: { readonly message: Message; readonly username: string }) {
  const isTrader = message.sender_role === 'trader';
  return (
    <li className={`flex flex-col ${isTrader ? 'items-start' : 'items-end'}`}>
      <div
        className={`max-w-[85%] rounded-dialog px-3 py-2 text-13 ${isTrader ? 'bg-inset' : 'bg-accent-weak'}`}
      >
        <LinkedText text={message.content} />
      </div>
      <p className="mt-0.5 text-11 text-text-3">
        {isTrader ? username : (message.sender_name ?? unknownUser)} <DateTime iso={message.created_at} />
      </p>
    </li>
  );
}

interface TranscriptProps {
  readonly userId: string;
  readonly chatId: string;
  readonly username: string;
  readonly onClose: () => void;
}

export function Transcript({ userId, chatId, username, onClose }: TranscriptProps) {
  const { rest } = useSupabase();
  const reading = useInfiniteQuery({
    queryKey: [...userKey(userId), 'chat', chatId],
    queryFn: ({ pageParam, signal }) => {
      const mine = rest.from('chat_messages').select('*').eq('session_id', chatId).eq('user_id', userId);
      const earlier = pageParam === null ? mine : mine.lt('seq', pageParam);
      return unwrap(earlier.order('seq', newestFirst).limit(messagesPage).abortSignal(signal));
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < messagesPage ? undefined : page.at(-1)?.seq),
  });
  const { data, isError, hasNextPage, fetchNextPage, isFetchingNextPage } = reading;
  const messages = data?.pages.flat().toReversed();
  const content = () => {
    if (messages === undefined && isError)
      return <ReadError title={texts.loadMessagesFailed} reading={reading} />;
    if (messages === undefined) {
      return (
        <div aria-busy="true" className="flex flex-col gap-3">
          <Skeleton className="h-9 w-3/5" />
          <Skeleton className="h-9 w-1/2 self-end" />
          <Skeleton className="h-9 w-2/3" />
        </div>
      );
    }
    if (messages.length === 0) return <EmptyState title="There are no messages in this conversation" />;
    return (
      <>
        {hasNextPage ? (
          <div className="mb-3 flex justify-center">
            <Button size="compact" pending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Earlier messages
            </Button>
          </div>
        ) : null}
        <ol aria-label={`Conversation with ${username}`} className="flex flex-col gap-3">
          {messages.map((message) => (
            <Bubble key={message.id} message={message} username={username} />
          ))}
        </ol>
      </>
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Conversation with ${username}`}
      description="Read only: opening it marks nothing as seen."
    >
      {content()}
    </Dialog>
  );
}
