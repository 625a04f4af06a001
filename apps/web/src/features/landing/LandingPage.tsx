/** ROUTE-01: what Fulcrum is, that it is simulated, and the way in. Everything it claims works on the day it ships. */
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { MarketPreview } from './MarketPreview.tsx';

const topics = [
  {
    title: 'The real order path',
    text: 'Every order is priced, checked and booked by the server in one transaction, at its own price. When that is too far from the one you saw, a market order is refused.',
  },
  {
    title: 'Leverage from 1× to 125×',
    text: 'Margin, liquidation price and return on equity come from one set of rules, shared by the screen and the engine.',
  },
  {
    title: 'A ledger that adds up',
    text: 'Each change of money is double-entry. Your history sums to your balance, to the last digit.',
  },
  {
    title: 'Five markets',
    text: 'Crypto, stocks, forex, commodities and indices in one paper account, with their own trading hours.',
  },
  {
    title: 'Yours to run',
    text: 'One command on your own machine. No account elsewhere, no data leaves it.',
  },
  {
    title: 'Open to your scripts',
    text: 'The server speaks the protocol of the Supabase client, so a bot trades with the same calls as this page.',
  },
] as const;

export default function LandingPage() {
  return (
    <div className="mx-auto w-full max-w-[1288px] px-6 pb-20 max-md:px-4 max-md:pb-12">
      <title>Fulcrum · simulated leveraged trading</title>
      <div className="grid items-end gap-x-16 gap-y-6 pt-20 pb-14 max-lg:pt-14 max-md:pt-10 max-md:pb-8 lg:grid-cols-[1fr_400px]">
        <h1 className="text-72 font-semibold tracking-[-0.04em] max-lg:text-[56px] max-lg:leading-[60px] max-md:text-[40px] max-md:leading-[44px]">
          Leverage,
          <br />
          rehearsed.
        </h1>
        <div>
          <p className="text-16 text-text-2">
            Fulcrum is a trading simulator. Open a 50× long, watch its liquidation price, and find out what
            you would have done, without any money in it.
          </p>
          <div className="mt-6 flex gap-3">
            <ButtonLink to="/register" tone="primary" size="large">
              Create an account
            </ButtonLink>
            <ButtonLink to="/login" size="large">
              Log in
            </ButtonLink>
          </div>
        </div>
      </div>
      <MarketPreview height={388} />
      <p className="mt-3 text-12 text-text-3">
        The example is a 0.4 BTC long opened forty bars ago with 50× leverage, figured by the rules your own
        orders would follow.
      </p>
      <ul className="mt-16 grid gap-x-10 md:grid-cols-2 lg:grid-cols-3 max-md:mt-10">
        {topics.map(({ title, text }) => (
          <li key={title} className="border-t border-line py-6">
            <h2 className="text-14 font-semibold">{title}</h2>
            <p className="mt-1.5 text-14 text-text-2">{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
