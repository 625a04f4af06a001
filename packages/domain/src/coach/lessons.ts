/** A short lesson for each rule of the coach: what the habit is, why it costs or helps, and what to do. Without figures of a trade. */
import type { CoachRuleId } from './rules.ts';

export interface Lesson {
  readonly title: string;
  /** Three or four. */
  readonly sentences: readonly string[];
}

export const lessons: Readonly<Record<CoachRuleId, Lesson>> = {
  no_stop: {
    title: 'Set a stop loss before you need it',
    sentences: [
      'A stop loss closes a position at a price that you chose while you were calm.',
      'Without one the liquidation decides, and it takes the whole margin.',
      'Decide first at which price your idea is wrong, and put the stop there.',
      'Then choose the size so that you can afford that loss.',
    ],
  },
  stop_moved_away: {
    title: 'Move a stop only toward the profit',
    sentences: [
      'A stop that moves away from the entry makes a planned loss larger after the fact.',
      'The trade is then larger than the one that you decided on, although nothing was opened.',
      'If the stop is often too near, place it farther away at the opening and trade a smaller size.',
    ],
  },
  soon_after_loss: {
    title: 'Pause after a loss',
    sentences: [
      'Right after a loss it is tempting to win the money back with the next trade.',
      'Such trades are often larger, worse prepared and made for the account, not for the market.',
      'Write down what happened first; if the next idea still stands afterwards, it will stand on its own.',
    ],
  },
  over_own_risk: {
    title: 'Keep to your own limit',
    sentences: [
      'A limit on the share at risk keeps a row of losses from ending the account.',
      'Equal losses make the results of different trades comparable.',
      'Compute the size from the distance to the stop, not from the leverage; the Risk calculator does it.',
      'If the limit is wrong, change it between trades and not for one.',
    ],
  },
  gave_back: {
    title: 'Protect a profit that has paid for its risk',
    sentences: [
      'The trade had earned what it risked and still ended with a loss.',
      'Once a trade is that far, move the stop to the entry or close a part of it.',
      'Some of these trades will then end early; compare both over many trades before you change the rule.',
    ],
  },
  closed_early: {
    title: 'Let the plan end the trade',
    sentences: [
      'The trade was closed by hand, and the market went on to where it was worth much more.',
      'This is known only afterwards, so one such trade proves nothing; many of them mean that the target is too near.',
      'Set a take profit or a stop that follows the price, and let one of the two close the trade.',
    ],
  },
  costly: {
    title: 'Count the costs before the trade',
    sentences: [
      'Fees, spread and funding are due whether the idea is right or not.',
      'The nearer the target, the larger their share of the profit.',
      'Trade less often, aim farther, or use limit orders where the spread is wide.',
      'The order form shows the fee before you send an order.',
    ],
  },
  liquidated: {
    title: 'Stay away from the liquidation',
    sentences: [
      'A liquidation takes the margin of the position, at a moment that the market chooses.',
      'High leverage puts it within the range of an ordinary day.',
      'A stop loss well before it, or a lower leverage, keeps the rest of the margin.',
    ],
  },
  loss_within_plan: {
    title: 'A planned loss is part of the method',
    sentences: [
      'The stop closed the trade where it was placed at the opening, and the loss is about what was risked.',
      'No method wins every trade; what counts is that losses stay as large as planned.',
      'Keep doing this, also after several losses in a row.',
    ],
  },
  let_it_run: {
    title: 'A few large profits carry the result',
    sentences: [
      'The trade earned a multiple of what it risked.',
      'One such profit pays for several planned losses, so it is worth to wait for it.',
      'Look at how it was ended, and whether the same way fits your other trades.',
    ],
  },
  order_over_own_risk: {
    title: 'Choose the size from the risk',
    sentences: [
      'Your own rule states how much of the equity one trade may cost.',
      'Put the stop loss where the idea is wrong, and then choose the size so that the loss there fits the rule.',
      'The amount field takes per cent at risk, and works out the size from the stop loss.',
    ],
  },
  order_moves_alike: {
    title: 'Positions that move together are one position',
    sentences: [
      'Markets of one kind often fall on the same day, so several positions in them lose at once.',
      'Their sum is what the next bad day costs, and not each of them alone.',
      'Choose one of them, or make each smaller.',
    ],
  },
  order_near_liquidation: {
    title: 'Keep the liquidation out of reach of ordinary hours',
    sentences: [
      'The range of the last hours is what this market moves without any news.',
      'A liquidation within a few such ranges is reached by chance, whether the idea is right or not.',
      'A lower leverage moves it away, and a stop loss before it keeps part of the margin.',
    ],
  },
  order_near_loss_limit: {
    title: 'A bad day ends before it becomes a bad month',
    sentences: [
      'You set the limit while you were calm, for a moment like this one.',
      'Losses late in a day are often attempts to win the earlier ones back.',
      'Close what you do not believe in, and come back tomorrow.',
    ],
  },
  order_last_trade: {
    title: 'Spend the last trade on the best idea',
    sentences: [
      'A limit of trades a day makes you choose.',
      'Wait for the setup that you would take first if it were the only one.',
      'A day without a trade costs nothing.',
    ],
  },
  order_in_cool_down: {
    title: 'Wait until the loss is behind you',
    sentences: [
      'Right after a loss the next trade is often larger and less considered.',
      'Use the time to write down what happened, and why.',
      'If the idea is good, it is still good when the cool-down has ended.',
    ],
  },
};
