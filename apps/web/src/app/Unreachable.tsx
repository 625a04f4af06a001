/** Shown when the server did not answer while the session was resumed or a page was loaded. The user stays signed in. */
import type { ReactNode } from 'react';
import { useSession } from '../shared/session/index.ts';
import { Brand, ErrorState } from '../shared/ui/index.ts';

interface UnreachableProps {
  readonly onRetry: () => void;
  readonly retrying?: boolean;
}

function SilentServer({ onRetry, retrying = false }: UnreachableProps) {
  const isVisitor = useSession((session) => session.status === 'signed-out');
  return (
    <ErrorState
      title="The server does not answer"
      detail={
        isVisitor
          ? 'This page failed to load.'
          : 'You are still signed in on this device. Your positions are stored on the server, not in this page.'
      }
      onRetry={onRetry}
      retrying={retrying}
    />
  );
}

/** The screen of what replaces the whole app. */
export const WholeScreen = ({ children }: { readonly children: ReactNode }) => (
  <main className="grid min-h-dvh place-items-center p-4">
    <div className="panel w-full max-w-md pt-8">
      <div className="flex justify-center">
        <Brand />
      </div>
      {children}
    </div>
  </main>
);

/** Replaces the whole app. */
export const Unreachable = (props: UnreachableProps) => (
  <WholeScreen>
    <SilentServer {...props} />
  </WholeScreen>
);

/** Replaces one page, inside its layout. */
export function PageUnreachable(props: UnreachableProps) {
  return (
    <div className="grid grow place-items-center p-4">
      <div className="panel w-full max-w-md">
        <SilentServer {...props} />
      </div>
    </div>
  );
}
