/**
 * The three documents side by side or one at a time. It stores each one's placement (zoom, rotation), so that it
 * survives a change of the layout.
 */
import type { KycPicture } from '@fulcrum/contract';
import Expand from 'lucide-react/icons/expand';
import Scan from 'lucide-react/icons/scan';
import Shrink from 'lucide-react/icons/shrink';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { useState } from 'react';
import { IconButton, Segmented, useFullScreen, usePhone } from '../../../shared/ui/index.ts';
import type { KycCase } from './cases.ts';
import { type Draft, documents } from './draft.ts';
import { getDocumentLabel } from './labels.ts';
import { PicturePane } from './PicturePane.tsx';
import { initialPlacement, type Placement, scaleMax, zoomBy, zoomStep } from './picture-placement.ts';
import type { LoadedPictures } from './usePictures.ts';

const arrangements = [
  { value: 'all', label: 'All three' },
  { value: 'faces', label: 'Front and selfie' },
  { value: 'one', label: 'One at a time' },
] as const;
type Arrangement = (typeof arrangements)[number]['value'];

interface ViewerProps {
  readonly opened: KycCase;
  readonly pictures: LoadedPictures;
  readonly verdicts: Draft['verdicts'];
  readonly current: KycPicture;
  readonly onCurrent: (document: KycPicture) => void;
  readonly onReload: () => void;
}

const grids: Readonly<Record<Arrangement, string>> = {
  // The selfie is tall beside the two sides, so that both faces are visible at once.
  all: 'grid-cols-[1.35fr_1fr] grid-rows-2 [&>:last-child]:col-start-2 [&>:last-child]:row-span-2 [&>:last-child]:row-start-1',
  faces: 'grid-cols-2',
  one: 'grid-cols-1',
};

export function Viewer({ opened, pictures, verdicts, current, onCurrent, onReload }: ViewerProps) {
  const phone = usePhone();
  const [chosen, setArrangement] = useState<Arrangement>('all');
  const arrangement = phone ? 'one' : chosen;
  const [placements, setPlacements] = useState<Readonly<Record<KycPicture, Placement>>>({
    document_front: initialPlacement,
    document_back: initialPlacement,
    selfie: initialPlacement,
  });
  const full = useFullScreen<HTMLDivElement>();
  const changePlacement = (document: KycPicture, change: (placement: Placement) => Placement) =>
    setPlacements((all) => ({ ...all, [document]: change(all[document]) }));
  const type = opened.verification.document_type;
  const shown =
    arrangement === 'all'
      ? documents
      : arrangement === 'faces'
        ? documents.filter((document) => document !== 'document_back')
        : [current];
  const activeDocument = shown.includes(current) ? current : 'document_front';
  const { scale } = placements[activeDocument];
  const name = getDocumentLabel(activeDocument, type);
  return (
    <div ref={full.ref} className="flex min-h-0 min-w-0 grow flex-col bg-surface">
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3 max-md:h-auto max-md:flex-wrap max-md:py-2">
        {phone ? (
          <Segmented
            label="Document"
            size="compact"
            options={documents.map((document) => ({
              value: document,
              label:
                document === 'document_front' ? 'Front' : document === 'document_back' ? 'Back' : 'Selfie',
            }))}
            value={current}
            onChange={onCurrent}
          />
        ) : (
          <Segmented
            label="Arrangement"
            size="compact"
            options={arrangements}
            value={arrangement}
            onChange={setArrangement}
          />
        )}
        {arrangement === 'one' && !phone ? (
          <Segmented
            label="Document"
            size="compact"
            options={documents.map((document, index) => ({ value: document, label: `${index + 1}` }))}
            value={current}
            onChange={onCurrent}
          />
        ) : null}
        <span className="ml-auto inline-flex items-center">
          <IconButton
            label={`Zoom out of ${name}`}
            aria-disabled={scale <= 1 || undefined}
            onClick={() => changePlacement(activeDocument, (before) => zoomBy(before, 1 / zoomStep))}
          >
            <ZoomOut size={16} aria-hidden="true" />
          </IconButton>
          <output aria-label={`Zoom of ${name}`} className="figures w-11 text-center text-12 font-medium">
            {`${Math.round(scale * 100)}%`}
          </output>
          <IconButton
            label={`Zoom into ${name}`}
            aria-disabled={scale >= scaleMax || undefined}
            onClick={() => changePlacement(activeDocument, (before) => zoomBy(before, zoomStep))}
          >
            <ZoomIn size={16} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={`Fit ${name}`}
            onClick={() =>
              changePlacement(activeDocument, ({ quarters }) => ({ ...initialPlacement, quarters }))
            }
          >
            <Scan size={16} aria-hidden="true" />
          </IconButton>
          {full.isPossible && !phone ? (
            <IconButton label={full.isFull ? 'Leave full screen' : 'Full screen'} onClick={full.toggle}>
              {full.isFull ? (
                <Shrink size={16} aria-hidden="true" />
              ) : (
                <Expand size={16} aria-hidden="true" />
              )}
            </IconButton>
          ) : null}
        </span>
      </div>
      <div className={`grid min-h-0 grow gap-2 bg-inset p-2 max-md:min-h-96 ${grids[arrangement]}`}>
        {shown.map((document) => (
          <PicturePane
            key={document}
            document={document}
            number={documents.indexOf(document) + 1}
            title={getDocumentLabel(document, type)}
            picture={pictures[document]}
            verdict={verdicts[document]}
            placement={placements[document]}
            onPlacementChange={(change) => changePlacement(document, change)}
            onFocus={() => onCurrent(document)}
            onReload={onReload}
            isCurrent={document === activeDocument && shown.length > 1}
          />
        ))}
      </div>
    </div>
  );
}
