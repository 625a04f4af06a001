/**
 * The landing page (ROUTE-01): the product, that it is simulated, and the links to sign in. Everything it claims
 * works in this release.
 */
import { MAX_LEVERAGE } from '@fulcrum/domain';
import { useEffect, useState } from 'react';
import { demoLogin } from '../../shared/session/index.ts';
import { loadServerConfig } from '../../shared/supabase/config.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { LeverageSection } from './LeverageSection.tsx';
import { TickerTape } from './TickerTape.tsx';
import { Topics } from './Topics.tsx';
import { TradingPreview } from './TradingPreview.tsx';

/** To the login, or straight into the demo account where this server has one; the header leads to the login then. */
function EntryLink() {
  const [hasDemo, setHasDemo] = useState(false);
  useEffect(() => {
    loadServerConfig().then(
      ({ demo }) => setHasDemo(demo),
      // The market's part of the page shows that the server does not answer.
      () => {},
    );
  }, []);
  return (
    <ButtonLink to="/login" state={hasDemo ? demoLogin : null} size="large">
      {hasDemo ? 'Try the demo' : 'Log in'}
    </ButtonLink>
  );
}

export default function LandingPage() {
  return (
    <>
      <title>Fulcrum · simulated leveraged trading</title>
      <TickerTape />
      <div className="mx-auto w-full max-w-[1288px] px-6 pb-16 max-md:px-4 max-md:pb-8">
        <div className="grid items-end gap-x-16 gap-y-6 pt-16 pb-8 max-lg:pt-12 max-md:pt-9 max-md:pb-7 lg:grid-cols-[1fr_400px]">
          <h1 className="text-72 font-semibold tracking-[-0.04em] max-lg:text-[56px] max-lg:leading-[60px] max-md:text-[40px] max-md:leading-[44px]">
            Leverage,
            <br />
            rehearsed.
          </h1>
          <div>
            <p className="text-16 text-text-2">
              Fulcrum is a trading simulator for crypto, stocks, forex, commodities and indices. Up to{' '}
              {MAX_LEVERAGE}× leverage, with the margin and the liquidations that come with it, in simulated
              USDT. No order reaches a market, and no money is ever in it.
            </p>
            <div className="mt-5 flex flex-wrap gap-3">
              <ButtonLink to="/register" tone="primary" size="large">
                Create an account
              </ButtonLink>
              <EntryLink />
            </div>
          </div>
        </div>
        <TradingPreview />
        <LeverageSection />
        <Topics />
      </div>
    </>
  );
}
