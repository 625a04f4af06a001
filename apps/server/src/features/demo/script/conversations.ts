/**
 * Conversations with support and messages of visitors, all invented. Data only. Minutes count from the first message of a
 * conversation; `minutesAgo` is when that was written.
 */

type Line = readonly [side: 'trader' | 'support', minute: number, text: string];

export interface ChatScript {
  /** The trader's username; `demo_trader` is the demo's own. */
  readonly username: string;
  readonly minutesAgo: number;
  readonly lines: readonly Line[];
  /** Minutes after the last line; null: still open. */
  readonly closedAfter: number | null;
  readonly rating: number | null;
  readonly comment: string | null;
}

const day = 1440;

const open = (username: string, minutesAgo: number, lines: readonly Line[]): ChatScript => ({
  ...{ username, minutesAgo, lines, closedAfter: null, rating: null, comment: null },
});
const closed = (
  username: string,
  minutesAgo: number,
  { rating = null, comment = null }: Partial<Pick<ChatScript, 'rating' | 'comment'>>,
  lines: readonly Line[],
): ChatScript => ({ username, minutesAgo, lines, closedAfter: 12, rating, comment });

export const chats: readonly ChatScript[] = [
  open('noah.bennett', 4, [
    [
      'trader',
      0,
      'Hi, my stop loss on gold did not fire although the low of the candle is below it. Can you have a look?',
    ],
  ]),
  open('zara.khan', 11, [
    ['trader', 0, 'My identity check was sent back because of glare. Does a scan count as well?'],
    ['trader', 2, 'The passport is laminated, every photo reflects.'],
  ]),
  open('grace.okafor', 19, [
    ['trader', 0, 'How long does a verification usually take? It has been pending since yesterday.'],
  ]),
  open('yuna.park', 33, [
    ['trader', 0, 'Is there a limit on the number of waiting orders?'],
    [
      'support',
      4,
      'Hello Yuna, yes: it is stated in the order form as soon as you come near it. Which pair is it about?',
    ],
    ['trader', 9, 'Bitcoin. I want to place a ladder of forty limit orders.'],
  ]),
  open('lucas.moreau', 55, [
    ['trader', 0, 'The liquidation price changed after I closed half of my position. Is that intended?'],
    [
      'support',
      6,
      'Hello Lucas, the price itself stays, because margin and size shrink together. Could you send the position’s id?',
    ],
    ['trader', 10, 'It ends in 4f2a. I may have compared two different positions.'],
    ['support', 14, 'You did: the other one is the short from this morning. Both figures are right.'],
  ]),
  open('daniel.ortega', 130, [
    ['trader', 0, 'Can I export my closed positions of last month?'],
    ['support', 3, 'Yes: on the wallet page choose the range, then “CSV Export” below the list.'],
  ]),
  open('elena.petrova', 2 * day + 40, [
    ['trader', 0, 'I forgot how to change the leverage of a pair.'],
    [
      'support',
      15,
      'The slider in the order form sets it for the next order. An open position keeps its own.',
    ],
  ]),
  closed('demo_trader', 9 * day, { rating: 5, comment: 'Quick and clear.' }, [
    ['trader', 0, 'Good morning. What exactly happens at a liquidation?'],
    [
      'support',
      3,
      'Good morning. When the mark price reaches the liquidation price, the position is closed at once and its margin is lost.',
    ],
    ['trader', 5, 'And the rest of my balance?'],
    [
      'support',
      7,
      'Stays untouched: every position is isolated. A stop loss in front of it keeps part of the margin.',
    ],
    ['trader', 8, 'That is clear now, thank you.'],
  ]),
  closed('amelia.stone', day + 200, { rating: 5 }, [
    ['trader', 0, 'Could my manager raise my balance for a test of the new strategy?'],
    ['support', 8, 'I have passed it on; your manager will answer today.'],
    ['trader', 40, 'It is there. Thanks!'],
  ]),
  closed('mia.hoffmann', 2 * day + 310, { rating: 4 }, [
    ['trader', 0, 'The chart shows another price than my fill.'],
    [
      'support',
      12,
      'The fill is the price of its second, the candle the close of its minute. Both are in the same bar.',
    ],
  ]),
  closed('ethan.brooks', 3 * day + 95, { rating: 5, comment: 'Honest answer.' }, [
    ['trader', 0, 'Are the prices real?'],
    [
      'support',
      2,
      'They are simulated on this installation, which every panel states. Nothing here is worth money.',
    ],
    ['trader', 3, 'Alright, good to know.'],
  ]),
  closed('sofia.ricci', 4 * day + 20, { rating: 2, comment: 'Had to ask for the reason.' }, [
    ['trader', 0, 'Why was my document refused?'],
    ['support', 25, 'The back was cut off at the lower edge. Please send it again with all four corners.'],
    ['trader', 31, 'That could have been in the first message…'],
  ]),
  closed('hana.sato', 5 * day + 480, { rating: 5 }, [
    ['trader', 0, 'Is there a keyboard shortcut for closing a position?'],
    ['support', 5, 'Press ? on the trading screen: the list names them all.'],
  ]),
  closed('jakob.nielsen', 7 * day + 60, {}, [
    ['trader', 0, 'May I have two accounts?'],
    ['support', 9, 'One account per user, please. You can reset yours at any time.'],
  ]),
  closed('clara.jansen', 8 * day + 130, { rating: 4 }, [
    ['trader', 0, 'The page was slow this morning.'],
    ['support', 4, 'Thank you for the report. Was it the chart or the whole page?'],
    ['trader', 20, 'Only the chart, and it is fine again.'],
    ['support', 22, 'Good. Please write again if it returns.'],
  ]),
  closed('freya.haugen', 11 * day + 15, { rating: 5 }, [
    ['trader', 0, 'Does a stop loss cost anything?'],
    ['support', 2, 'No. Only the fee of the close applies, if this installation charges one.'],
  ]),
];

export interface ContactScript {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly minutesAgo: number;
  readonly status: 'new' | 'read' | 'replied' | 'archived';
  readonly reply: string | null;
}

const message = (
  [name, email, subject]: readonly [string, string, string],
  minutesAgo: number,
  status: ContactScript['status'],
  text: string,
  reply: string | null = null,
): ContactScript => ({ name, email, subject, message: text, minutesAgo, status, reply });

/** Addresses of domains that are reserved for examples (RFC 2606). */
export const contactMessages: readonly ContactScript[] = [
  message(
    ['Lena Fischer', 'lena@example.org', 'Use in a class'],
    35,
    'new',
    'We teach risk management to second-year students. May a whole class register on one installation?',
  ),
  message(
    ['Arthur Finch', 'arthur.finch@example.com', 'Feature: two charts'],
    170,
    'new',
    'I would like to compare two pairs side by side. Is that planned?',
  ),
  message(
    ['Nadia Rahman', 'nadia@example.net', 'Cannot find my message'],
    400,
    'new',
    'I wrote yesterday and did not get a copy. Did it arrive?',
  ),
  message(
    ['Peter Holm', 'peter.holm@example.org', 'Translation'],
    day + 60,
    'read',
    'I could help with a Danish translation. Which address should I write to?',
  ),
  message(
    ['Rosa Delgado', 'rosa@example.com', 'Accessibility'],
    day + 600,
    'read',
    'With a screen reader the order form reads well. The chart’s legend could name the timeframe first.',
  ),
  message(
    ['George Adams', 'george@example.net', 'Demo on a tablet'],
    2 * day,
    'replied',
    'Does the trading screen work on a ten-inch tablet?',
    'It does: below 1024 pixels the order form moves under the chart. Try the demo account, its password is on the sign-in page.',
  ),
  message(
    ['Mei Lin', 'mei.lin@example.org', 'Where do prices come from?'],
    3 * day,
    'replied',
    'Are the prices delayed or invented?',
    'On this installation they are simulated. The operator can choose live prices instead.',
  ),
  message(
    ['Best Offers', 'offers@example.com', 'Grow your traffic'],
    4 * day,
    'archived',
    'We can bring ten thousand visitors to your page in one week.',
  ),
  message(
    ['Karl Svensson', 'karl@example.net', 'Thanks'],
    6 * day,
    'archived',
    'Just a thank-you: the liquidation explanation is the best one I have read.',
  ),
];
