/** Questions that traders put to support most, with answers that need no agent. A text names controls by their labels. */

interface CommonQuestion {
  readonly question: string;
  readonly answer: string;
}

/** `allowReset`: whether traders may reset their main account here. */
export const commonQuestions = (allowReset: boolean): readonly CommonQuestion[] => [
  {
    question: 'Is this real money?',
    answer: 'No. Fulcrum simulates trading: no order reaches a market, and no balance is worth money.',
  },
  {
    question: 'Why was my position liquidated?',
    answer:
      'The price reached the position’s liquidation price: 95 % of the margin was used up. In Position History, press “Liquidated” to see the path of the price, and where a stop loss would have ended the position.',
  },
  {
    question: 'How do I limit a loss?',
    answer:
      'Switch on “Take Profit / Stop Loss” in the order form, or press TP or SL in the row of an open position. A stop loss closes the position by itself when the price reaches it.',
  },
  {
    question: 'Why can I not place an order?',
    answer:
      'The line beneath Buy/Long and Sell/Short names the reason: no amount yet, too little balance, a closed market or a price that is too old.',
  },
  {
    question: 'How do I start over with a new balance?',
    answer: allowReset
      ? 'In Wallet, choose “Reset account”. It closes your positions, cancels your orders and restores the start balance. Your history stays.'
      : 'Write to support: staff fund accounts here.',
  },
];
