/** The server did not answer while the session was resumed or a page was fetched; nothing is lost, so nobody is signed out. */
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
          ? 'This page could not be fetched.'
          : 'You are still signed in on this device. Your positions live on the server, not in this page.'
      }
      onRetry={onRetry}
      retrying={retrying}
    />
  );
}

/** In place of the whole app. */
export function Unreachable(props: UnreachableProps) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="panel w-full max-w-md pt-8">
        <div className="flex justify-center">
          <Brand />
        </div>
        <SilentServer {...props} />
      </div>
    </main>
  );
}

/** In place of one page, inside its layout. */
export function PageUnreachable(props: UnreachableProps) {
  return (
    <div className="grid grow place-items-center p-4">
      <div className="panel w-full max-w-md">
        <SilentServer {...props} />
      </div>
    </div>
  );
}
