/** Downloads the user's certificate of a contest or a challenge. Without a user's own session there is none. */
import Award from 'lucide-react/icons/award';
import { DownloadButton } from '../../shared/download/DownloadButton.tsx';
import { useSignedIn } from '../../shared/session/index.ts';

interface CertificateButtonProps {
  /** Of the contest or challenge. */
  readonly name: string;
  readonly read: () => PromiseLike<{ readonly text: string } | null>;
}

export function CertificateButton({ name, read }: CertificateButtonProps) {
  const { impersonation } = useSignedIn();
  if (impersonation !== null) return null;
  return (
    <DownloadButton
      failed="Failed to download the certificate"
      Icon={Award}
      make={async () => ({ name: `certificate_${name}.json`, text: (await read())?.text })}
    >
      Download my certificate
    </DownloadButton>
  );
}
