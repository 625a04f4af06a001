/**
 * What the assistant searches: the product's own help for traders. The common questions and the coach's lessons stand in the domain and
 * are taken from there; the other passages stand here. Texts name controls by their labels, and bounds by the constants of the code.
 */
import {
  alertsMax,
  apiKeysMax,
  coachRuleIds,
  commonQuestions,
  lessons,
  MAX_LEVERAGE,
  type Passage,
  practiceAccountsMax,
  signalHooksMax,
} from '@fulcrum/domain';

export interface HelpPassage extends Passage {
  /** The page that it is about; null: none. */
  readonly path: string | null;
}

type Row = readonly [id: string, title: string, path: string | null, text: string, terms?: string];

const rows: readonly Row[] = [
  [
    'leverage',
    'What leverage does',
    '/trading',
    `Leverage divides the margin of an order: the margin is amount × price ÷ leverage. It is a whole number from 1 to ${MAX_LEVERAGE}. A higher leverage needs less margin for the same position, and puts the liquidation price nearer to the entry.`,
    'multiplier',
  ],
  [
    'margin',
    'What margin is',
    '/trading',
    'Margin is the part of your balance that a position locks while it is open. Margin is isolated: a position can lose its own margin and nothing beyond it. A waiting order reserves its margin until it is filled or canceled.',
    'isolated collateral used free',
  ],
  [
    'liquidation',
    'What a liquidation is',
    '/trading',
    'A position is closed by the engine when the price reaches its liquidation price, where 95 % of the margin is used up. The row of an open position shows that price, and the chart draws it as a line. A stop loss before it ends the position earlier.',
    'liquidated liquidation price',
  ],
  [
    'equity',
    'Balance, available balance and equity',
    '/wallet',
    'The balance is what the account holds, with the margin of open positions and the reserve of waiting orders. The available balance is what new orders can use. Equity is the balance with the gains and losses of open positions at present prices.',
    'difference between',
  ],
  [
    'pnl',
    'How profit and loss are computed',
    '/trading',
    'The unrealized result of a position is the move of the price since the entry times the amount: up for a long, down for a short. ROE is that result as a share of the margin. The result is booked when the position closes, and fees are charged on top.',
    'unrealized realized roe calculate',
  ],
  [
    'order-types',
    'Market, limit and stop orders',
    '/trading',
    'A market order fills at the present price. A limit order waits until the price is as good as its own or better. A stop order waits until the price reaches its trigger and then opens. Waiting orders are listed under Open Orders, where you can change or cancel them.',
    'order type pending cancel amend entry',
  ],
  [
    'stop-loss',
    'Set a take profit or a stop loss',
    '/trading',
    'Switch on “Take Profit / Stop Loss” in the order form, or press TP or SL in the row of an open position. Both can be typed as a price, in per cent, as ROE or in USDT, and both lines can be dragged on the chart.',
    'set stop loss protection tp sl stop loss take profit stop loss',
  ],
  [
    'trailing',
    'Trailing stops',
    '/trading',
    'In an account with net positions, a trailing stop follows the best price since it was placed at a distance in per cent, and closes when the price comes back by that distance.',
    'trail follow perpetual',
  ],
  [
    'close',
    'Close, reduce or reverse a position',
    '/trading',
    'Press Close in the row of an open position to close all or a part of it. Reverse closes it and opens the same size on the other side. While the market is closed you can ask for a close at the next price.',
    'exit partial flip',
  ],
  [
    'fees',
    'Which fees are charged',
    '/trading',
    'A fee on the traded value is charged at the opening and at the close. The order form shows the rate and the amount before you send an order; the operator sets the rate for main accounts. In an account with net positions the fill profile states the maker and taker fees.',
    'fee rate commission maker taker',
  ],
  [
    'funding',
    'How funding works',
    '/trading',
    'Only net positions pay or receive it. Of crypto, funding is due every 8 hours; of every other market, financing is due once a day. It is booked to the position that you hold at that time, and the analytics list it apart from fees.',
    'funding rate financing overnight swap',
  ],
  [
    'net-positions',
    'Accounts with net positions',
    '/trading',
    'A practice account with perpetual rules has one net position per symbol. Orders fill on an order book with spread and depth, and funding is due, as on an exchange for perpetual contracts. Choose the rules when you open the practice account.',
    'perpetual futures order book',
  ],
  [
    'practice',
    'Practice accounts',
    '/dashboard',
    `Open the account menu beside the Fulcrum mark and choose “New practice account”. It has a start balance, a greatest leverage and rules of its own, apart from your main account. You can have up to ${practiceAccountsMax} of them.`,
    'second account several new account switch',
  ],
  [
    'market-hours',
    'When markets are open',
    '/trading',
    'Crypto trades around the clock. With live quotes, stocks, forex, commodities and indices follow the hours of their markets; the pair bar shows when a market is closed. No order fills while its market is closed or its price is too old.',
    'opening hours closed weekend stale price',
  ],
  [
    'prices',
    'Where prices come from',
    '/about',
    'From public exchanges and quote services where the server can reach them, else from a simulation or a recorded day. Every screen shows the source, and also when a price is late or its market is closed.',
    'price source real live simulated data',
  ],
  [
    'chart',
    'Chart, indicators and drawings',
    '/trading',
    'Choose the timeframe above the chart. The indicators panel has the studies, the rail at the left has the drawing tools, and a right click or a long press opens a menu at a price. Studies and drawings are stored per pair.',
    'indicator study drawing candle timeframe',
  ],
  [
    'alerts',
    'Price alerts',
    '/trading',
    `An alert notifies you and trades nothing. It fires at a price, at a change within a time, at an ROE or near a liquidation price. Set one from the menu at a price of the chart or from the list of alerts. You can have up to ${alertsMax} in all your accounts.`,
    'alert notify notification alarm',
  ],
  [
    'push',
    'Push notifications on your devices',
    '/profile',
    'Switch them on under “Push notifications” in your profile, once on each device. They arrive while Fulcrum is closed: fills, alerts, liquidations and answers of support.',
    'phone browser push desktop notification',
  ],
  [
    'install',
    'Install Fulcrum on a phone or a desktop',
    '/profile',
    'Fulcrum is a web app that browsers can install: choose “Install” or “Add to home screen” in the menu of the browser. It then opens in a window of its own.',
    'app phone android iphone desktop',
  ],
  [
    'shortcuts',
    'Keyboard shortcuts',
    '/trading',
    'Press ? to list every shortcut of the page. Keys that trade run only when trading keys are switched on in your profile, and each shortcut can be given other keys in that list.',
    'hotkey keys keyboard',
  ],
  [
    'journal',
    'The trading journal',
    '/journal',
    'Write an entry about a trade or a day, with tags, and link it to a closed position. The review of the week sums up your results by tag. Entries are yours alone.',
    'note diary entry tag',
  ],
  [
    'analytics',
    'Results and analytics',
    '/analytics',
    'The analytics show net result, win rate, expectancy, average R, drawdown and results by symbol, side, day and hour for a range that you choose. A bar, a day or a symbol opens the closed trades behind it.',
    'statistics performance drawdown expectancy win rate',
  ],
  [
    'review',
    'The review of a trade and of the week',
    '/analytics?view=week',
    'The coach reviews each closed trade by fixed rules: what was risked, what prices did, what it cost. The review of the week names your costliest and your best habits with their trades. A rule speaks only when enough trades show it, and each rule can be switched off.',
    'coach habit mistake rule lesson analysis',
  ],
  [
    'r',
    'What R means',
    '/analytics',
    'R is the net result of a trade in multiples of what its first stop loss put at risk. A trade that lost exactly its planned risk is -1 R. A trade without a stop loss has no R.',
    'r multiple risk reward average r',
  ],
  [
    'drawdown',
    'What drawdown means',
    '/analytics',
    'Drawdown is the fall of your result from its highest point so far. Deposits, withdrawals and resets do not count. In per cent it is the fall of the account’s unit value.',
    'maximum drawdown fall peak',
  ],
  [
    'calculators',
    'Calculators',
    '/dashboard',
    'The dashboard has a P/L calculator, a risk calculator and a position calculator. “Use in order form” hands their figures to the order form, which fills its fields and sends nothing.',
    'calculate size risk position size',
  ],
  [
    'size',
    'Choose a position size by risk',
    '/trading',
    'With a stop loss set, the order form takes the amount as a risk in per cent of the available balance and computes the size from the distance to the stop. The risk calculator on the dashboard does the same.',
    'how much should buy position size risk per trade',
  ],
  [
    'watchlist',
    'Favorites and watchlists',
    '/trading',
    'Press the star of a pair to make it a favorite. Under the favorites tab of the market list you can keep named watchlists; they follow you into every browser.',
    'favorite star list pair market',
  ],
  [
    'api-keys',
    'API keys for programs',
    '/profile',
    `Make a key under “API keys” in your profile. A key reads, or reads and trades, in that one account; its secret is shown once. Up to ${apiKeysMax} keys of an account can be active. The API reference describes every call.`,
    'api key bot program script automation',
  ],
  [
    'signals',
    'Trade by signals of TradingView',
    '/signals',
    `On Signals make an address, copy it into an alert of TradingView as its webhook, and try the message with “Dry run”. Who has the address can trade in that account; an account has up to ${signalHooksMax} of them.`,
    'webhook tradingview alert automation signal',
  ],
  [
    'identity-check',
    'Verify your identity',
    '/profile',
    'Fill in the identity check and upload the pictures that it requests. An admin reviews it, and a notification brings the decision. After a rejection the reason is shown, and you can submit again.',
    'kyc verification document passport verify',
  ],
  [
    'password',
    'Change or reset a password',
    '/profile',
    'Change it under “Change Password” in your profile; every other device then has to log in again. If you cannot log in, choose the link for a forgotten password on the login page and follow the mail.',
    'forgot login reset password email',
  ],
  [
    'sessions',
    'Devices that are logged in',
    '/profile',
    '“Sessions” in your profile lists every device that is logged in. End one that you do not know, and change your password.',
    'logout device security hacked',
  ],
  [
    'theme',
    'Dark and light, colours of gains and losses',
    '/profile',
    'Choose theme and palette under “Appearance” in your profile. Shift+D switches between dark and light.',
    'dark mode light mode colour color blind theme',
  ],
  [
    'support',
    'Write to support',
    '/chat',
    'Open Support and write your question. It stays there, and the answer too, whenever you come back. You can add a picture.',
    'contact human agent help chat',
  ],
  [
    'deposit',
    'Deposit or withdraw',
    '/wallet',
    'Balances are simulated USDT. They cannot be bought, paid in or paid out. Staff can add funds to an account, and the wallet lists every movement.',
    'deposit withdraw payment bank card cash out top up',
  ],
  [
    'assistant',
    'What the assistant can do',
    null,
    'The assistant answers questions about the account that you are in, and about how Fulcrum works. It reads what you can read, and every figure comes from your account. It cannot trade: it fills the order form, and you send the order.',
    'ai bot assistant chatgpt model',
  ],
];

/** The coach's rules have readable titles; their page is the review of the week. */
const fromLessons: readonly HelpPassage[] = coachRuleIds.map((rule) => ({
  id: `lesson-${rule}`,
  title: lessons[rule].title,
  path: '/analytics?view=week',
  text: lessons[rule].sentences.join(' '),
}));

/** All passages; ids are unique. */
export const helpPassages = ({ allowReset }: { readonly allowReset: boolean }): readonly HelpPassage[] => [
  ...commonQuestions(allowReset).map(
    ({ question, answer }, index): HelpPassage => ({
      id: `question-${index + 1}`,
      title: question,
      path: '/chat',
      text: answer,
    }),
  ),
  ...rows.map(
    ([id, title, path, text, terms]): HelpPassage => ({ id, title, path, text, terms: terms ?? '' }),
  ),
  ...fromLessons,
];
