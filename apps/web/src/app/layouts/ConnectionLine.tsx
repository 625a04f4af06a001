/**
 * A status line at the bottom of the screen while the server is unreachable, prices are silent or trading is halted: over the
 * status bar, on a phone over the upper edge of the bottom navigation. It moves no layout and never covers the order form.
 * Screen readers hear a change once, and not the counting seconds.
 */
import { getSilentSince, isTradingHalted } from '../../features/market/prices/frames.ts';
import { lazyPart } from '../../shared/code/lazy-part.tsx';
import { useConnection } from '../../shared/realtime/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';

export const loadConnectionText = () => import('./ConnectionText.tsx');
/** Its code may be missing because the server is, so a plain word stands in. */
const ConnectionText = lazyPart(loadConnectionText, () => 'Not connected');

const marketStatus = { silentSince: getSilentSince, isTradingHalted };

export function ConnectionLine() {
  const { accountId } = useSignedIn();
  const connection = useConnection(accountId, marketStatus);
  const isInterrupted = connection.state !== 'connected';
  return (
    <>
      <p role="status" aria-label="Connection" className="sr-only">
        {isInterrupted ? <ConnectionText as="announcement" connection={connection} waiting={null} /> : null}
      </p>
      {isInterrupted ? (
        <div
          aria-hidden="true"
          data-connection={connection.state}
          className="fade pointer-events-none fixed inset-x-0 bottom-0 z-20 flex h-6 items-center gap-2 border-t border-line bg-raised px-3 text-12 max-md:bottom-(--bottom-nav-height) max-md:h-7 max-md:justify-center"
        >
          <ConnectionText as="line" connection={connection} waiting={null} />
        </div>
      ) : null}
    </>
  );
}
