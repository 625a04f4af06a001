/**
 * The product's topics, in the stated nine cards (PUB-01 to PUB-03). Invariant: a tag states what this release
 * contains (A92): all nine are built in, and `e2e/public/topics.spec.ts` goes through them.
 */
const groups = [
  {
    title: 'Decide',
    lead: 'Before the order. Figures first, opinions never.',
    topics: [
      {
        title: 'AI trade analysis',
        text: 'A closed trade taken apart by fixed rules: entry, exit, size, and what each of them was worth.',
      },
      {
        title: 'AI trading assistant',
        text: 'Questions in plain words, answered with the figures behind them. By rules; a language model talks only where the operator adds one.',
      },
      {
        title: 'Risk management AI',
        text: 'Before an order is sent: its margin, its liquidation price, and a warning where it risks too much. No model takes part.',
      },
    ],
  },
  {
    title: 'Trade',
    lead: 'One screen, from the idea to the exit.',
    topics: [
      {
        title: 'Charts',
        text: 'Nine timeframes, with RSI, SMA and MACD, and your own positions and orders drawn on the price.',
      },
      {
        title: 'Algorithmic trading',
        text: 'Limit, stop, take profit and stop loss wait on the server, not in this page. A script of yours may send them too: it speaks the protocol that this page speaks.',
      },
      {
        title: 'Portfolio analytics',
        text: 'Equity and drawdown, win rate, profit factor and expectancy after fees, and what each symbol, day and hour made.',
      },
    ],
  },
  {
    title: 'Get help',
    lead: 'From the operator of this server.',
    topics: [
      {
        title: '24/7 live chat support',
        text: 'A chat that is always open and shows whether an agent is available.',
      },
      {
        title: 'Account managers',
        text: 'You may be given one, who sees your account and can make changes in it. Each change is recorded under their name.',
      },
      {
        title: 'AI support assistant',
        text: 'For questions that need no agent, with an agent one message away.',
      },
    ],
  },
] as const;

export function Topics() {
  return (
    <section aria-label="What is in it" className="mt-20 max-md:mt-14">
      {groups.map((group) => (
        <div
          key={group.title}
          className="grid gap-x-10 gap-y-6 border-t border-line pt-6 pb-8 lg:grid-cols-[200px_1fr] xl:grid-cols-[272px_1fr]"
        >
          <div>
            <h2 className="text-20 font-semibold tracking-[-0.01em]">{group.title}</h2>
            <p className="mt-0.5 text-13 text-text-2">{group.lead}</p>
          </div>
          <ul className="grid gap-x-10 gap-y-6 md:grid-cols-3">
            {group.topics.map(({ title, text }) => (
              <li key={title}>
                <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-semibold">
                  {title}
                  <span className="rounded-badge border border-line-strong px-1.5 text-11 leading-[18px] font-medium">
                    Built in
                  </span>
                </h3>
                <p className="mt-1 text-13 text-text-2">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
