/**
 * Answers that support writes often, with places for names. Invariant: none of them promises what this server does not do, and
 * where money is meant it says that the money is simulated. A place that cannot be filled stays visible, so that it is not
 * sent unseen.
 */

/** What a reply knows when it is inserted. */
export interface ReplyVariables {
  readonly username: string;
  readonly agent: string;
}

export interface CannedReply {
  /** Typed after `/`: letters, digits and hyphens. */
  readonly shortcut: string;
  readonly content: string;
}

/** Of personal ones, as the table holds them. */
export const cannedReplyLimits = { shortcut: 24, content: 2_000, count: 100 } as const;

export const shippedReplies = [
  { shortcut: 'hello', content: 'Hello {username}, this is {agent} from support. How can I help you?' },
  { shortcut: 'moment', content: 'One moment please, {username}. I am looking into it now.' },
  {
    shortcut: 'more',
    content:
      'Could you tell me a little more, {username}? The pair, the time and what you expected to see would help me to find it.',
  },
  {
    shortcut: 'simulated',
    content:
      'Fulcrum is a simulator: the balance in your wallet is simulated money. Nothing can be paid in or out, and no trade reaches a real market.',
  },
  {
    shortcut: 'margin',
    content:
      'Each open position holds margin: entry price times size, divided by the leverage. Your available balance is your balance less that margin and less what waiting orders hold back. The margin comes back when the position closes, together with its profit or loss. It is all simulated money.',
  },
  {
    shortcut: 'leverage',
    content:
      'The leverage of a position is fixed when it opens. A new position can have another leverage; the higher it is, the less margin it holds and the closer its liquidation price is to the entry.',
  },
  {
    shortcut: 'liquidation',
    content:
      'A position is liquidated when the market reaches its liquidation price, because its loss has then used up its margin. You see that price in the row of the position. A stop loss set before it closes the position earlier. The money is simulated.',
  },
  {
    shortcut: 'prices',
    content:
      'Every price says where it comes from: live, delayed, replayed or simulated. A market that is closed or whose price is stale cannot be traded until the next price arrives.',
  },
  {
    shortcut: 'verification',
    content:
      'You can send your documents for the identity check from your profile. An administrator decides on them; support sees the state of the check, never the documents.',
  },
  {
    shortcut: 'bye',
    content:
      'Is there anything else, {username}? Otherwise I close this session. You can write again at any time, and afterwards you can rate how it went.',
  },
] as const satisfies readonly CannedReply[];

/** The text with its places filled; a place that nothing is known for is left as it stands. */
export function fillReply(content: string, variables: ReplyVariables): string {
  return content.replaceAll(/\{(username|agent)\}/g, (place, name: keyof ReplyVariables) =>
    variables[name] === '' ? place : variables[name],
  );
}

/** How well a reply fits: its shortcut begins with the words, contains them, its text does; null: it does not. */
function fitOf({ shortcut, content }: CannedReply, words: string): number | null {
  if (shortcut.startsWith(words)) return 0;
  if (shortcut.includes(words)) return 1;
  return content.toLowerCase().includes(words) ? 2 : null;
}

/** Those that fit what was typed, the best first; in the given order among equals. */
export function findReplies<Reply extends CannedReply>(
  replies: readonly Reply[],
  typed: string,
): readonly Reply[] {
  const words = typed.trim().toLowerCase().replace(/^\//, '');
  if (words === '') return replies;
  return replies
    .map((reply) => ({ reply, fit: fitOf(reply, words) }))
    .filter((found): found is { reply: Reply; fit: number } => found.fit !== null)
    .sort((one, other) => one.fit - other.fit)
    .map(({ reply }) => reply);
}
