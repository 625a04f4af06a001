/**
 * The product's topics, in the stated nine cards (PUB-01 to PUB-03). Invariant: a tag states what this release
 * contains (A92): `Built in` works, `Rule-based` works by fixed rules without any model.
 */
const groups = [
  {
    title: 'Decide',
    lead: 'Before the order. Figures first, opinions never.',
    topics: [
      {
        title: 'AI trade analysis',
        tag: 'Rule-based',
        text: 'A closed trade taken apart: entry, exit, size, and what each of them was worth.',
      },
      {
        title: 'AI trading assistant',
        tag: 'Rule-based',
        text: 'Questions about a position in plain words, answered with the figures behind them.',
      },
      {
        title: 'Risk management AI',
        tag: 'Rule-based',
        text: 'Margin and liquidation price are shown before the order is sent. A stop loss that would come too late is refused, and a calculator sizes a trade by what it may lose. No model takes part.',
      },
    ],
  },
  {
    title: 'Trade',
    lead: 'One screen, from the idea to the exit.',
    topics: [
      {
        title: 'Charts',
        tag: 'Built in',
        text: 'Nine timeframes, with RSI, SMA and MACD, and your own positions and orders drawn on the price.',
      },
      {
        title: 'Algorithmic trading',
        tag: 'Rule-based',
        text: 'Limit, stop, take profit and stop loss wait on the server, not in this page. A script of yours may send them too: it speaks the protocol that this page speaks.',
      },
      {
        title: 'Portfolio analytics',
        tag: 'Built in',
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
        tag: 'Built in',
        text: 'A chat that is always open and shows whether an agent is available.',
      },
      {
        title: 'Account managers',
        tag: 'Built in',
        text: 'You may be given one, who sees your account and can make changes in it. Each change is recorded under their name.',
      },
      {
        title: 'AI support assistant',
        tag: 'Rule-based',
        text: 'For questions that need no agent, with an agent one message away.',
      },
    ],
  },
] as const;

type Tag = (typeof groups)[number]['topics'][number]['tag'];

const tagStyles: Record<Tag, string> = {
  'Built in': 'border-line-strong text-text',
  'Rule-based': 'border-line-strong text-text-2',
};

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
            {group.topics.map(({ title, tag, text }) => (
              <li key={title}>
                <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-semibold">
                  {title}
                  <span
                    className={`rounded-badge border px-1.5 text-11 leading-[18px] font-medium ${tagStyles[tag]}`}
                  >
                    {tag}
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
