/** The server did not answer while the session was being resumed; nothing is lost, so nothing is signed out. */
import { Brand, ErrorState } from '../shared/ui/index.ts';

export function Unreachable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="panel w-full max-w-md pt-8">
        <div className="flex justify-center">
          <Brand />
        </div>
        <ErrorState
          title="The server does not answer"
          detail="You are still signed in on this device. Your positions live on the server, not in this page."
          onRetry={onRetry}
        />
      </div>
    </main>
  );
}
