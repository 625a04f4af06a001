/** The links of each import of this tab, to be downloaded as one file and dismissed; nothing without any. */
import { toCsv } from '@fulcrum/domain';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { downloadText, formatDayStamp } from '../../shared/download/index.ts';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Button } from '../../shared/ui/index.ts';
import { dismissLinks, type ImportLinks, markDownloaded, useImportLinks } from './import-links.ts';

const counted = (count: number): string => (count === 1 ? '1 link' : `${count} links`);

function download({ importId, links }: ImportLinks): void {
  downloadText(
    `invitations_${formatDayStamp(new Date())}.csv`,
    toCsv(['Email', 'Link'], [...links]),
    'text/csv',
  );
  markDownloaded(importId);
}

export function LinkFiles() {
  const { imports } = useImportLinks();
  const [dismissed, setDismissed] = useState<ImportLinks | null>(null);
  if (imports.length === 0) return null;
  return (
    <>
      <ul aria-label="Links to choose a password">
        {imports.map((one) => {
          const { importId, fileName, links, isDownloaded } = one;
          return (
            <li
              key={importId}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3"
            >
              <p className="min-w-48 flex-1 text-13">
                <bdi className="font-medium wrap-anywhere">{fileName}</bdi>
                {`: ${counted(links.size)} to choose a password. `}
                {isDownloaded ? (
                  <span className="text-text-2">Downloaded.</span>
                ) : (
                  <span className="text-warn">
                    In this tab only: download before you close it or sign out.
                  </span>
                )}
              </p>
              <Button
                tone={isDownloaded ? 'secondary' : 'primary'}
                size="compact"
                onClick={() => download(one)}
              >
                <Download size={14} aria-hidden="true" />
                {`Download ${counted(links.size)}${isDownloaded ? ' again' : ''}`}
              </Button>
              <Button
                tone="quiet"
                size="compact"
                aria-label={`Dismiss the links of ${fileName}`}
                onClick={() => (isDownloaded ? dismissLinks(importId) : setDismissed(one))}
              >
                Dismiss
              </Button>
            </li>
          );
        })}
      </ul>
      {dismissed === null ? null : (
        <ConfirmDialog
          title={`Dismiss ${counted(dismissed.links.size)} of ${dismissed.fileName}?`}
          description="Not downloaded yet, and shown only here. Each user can still choose a password with “Forgot password?” on the login page."
          keep="Keep"
          onKeep={() => setDismissed(null)}
          confirm="Dismiss"
          onConfirm={() => {
            dismissLinks(dismissed.importId);
            setDismissed(null);
          }}
          tone="down"
          pending={false}
          error={null}
        />
      )}
    </>
  );
}
