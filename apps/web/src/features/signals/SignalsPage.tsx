/** `/signals`: orders that arrive from outside, for the account that the page shows. */
import { texts } from '@fulcrum/contract/texts';
import { useSiteName } from '../../shared/account/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { BackLink } from '../../shared/ui/BackLink.tsx';
import { ImpersonationNotice } from '../../shared/ui/index.ts';
import { AlertMessageSection } from './AlertMessage.tsx';
import { DryRunSection } from './DryRun.tsx';
import { HooksSection } from './Hooks.tsx';
import { SignalTable } from './SignalTable.tsx';

export default function SignalsPage() {
  const { impersonation } = useSignedIn();
  return (
    <div className="mx-auto flex w-full max-w-[1232px] flex-col gap-4 px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>{`Signals · ${useSiteName()}`}</title>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:px-1">
        <h1 className="text-20 font-semibold tracking-[-0.01em]">Signals</h1>
        <BackLink to="/profile">Account Settings</BackLink>
        <p className="w-full text-13 text-text-2">
          Alerts of TradingView and other services trade in this account by themselves.
        </p>
      </div>
      {impersonation === null ? (
        <>
          <HooksSection />
          <SignalTable />
          <AlertMessageSection />
          <DryRunSection />
        </>
      ) : (
        <ImpersonationNotice>{texts.notWhileImpersonating}</ImpersonationNotice>
      )}
    </div>
  );
}
