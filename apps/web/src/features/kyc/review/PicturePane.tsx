/**
 * One picture with zoom, pan and rotation. Wheel or + − 0 zoom, drag or arrows move, R and Shift+R rotate, and two
 * fingers do both on a touch screen. It handles keys while it has the focus. The viewer stores its `placement`.
 */
import type { KycPicture } from '@fulcrum/contract';
import Check from 'lucide-react/icons/check';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton, Skeleton } from '../../../shared/ui/index.ts';
import type { Verdict } from './draft.ts';
import {
  clampPlacement,
  getFitScale,
  getVisiblePart,
  initialPlacement,
  type Placement,
  type Point,
  panBy,
  panStep,
  rotate,
  type Size,
  zoomBy,
  zoomStep,
} from './picture-placement.ts';
import type { LoadedPicture } from './usePictures.ts';

interface PicturePaneProps {
  readonly document: KycPicture;
  /** `1` to `3`: the key that selects it. */
  readonly number: number;
  readonly title: string;
  readonly picture: LoadedPicture;
  readonly verdict: Verdict | undefined;
  readonly placement: Placement;
  readonly onPlacementChange: (change: (placement: Placement) => Placement) => void;
  readonly onFocus: () => void;
  readonly onReload: () => void;
  readonly isCurrent: boolean;
}

const none: Size = { width: 0, height: 0 };
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: panStep, y: 0 },
  ArrowRight: { x: -panStep, y: 0 },
  ArrowUp: { x: 0, y: panStep },
  ArrowDown: { x: 0, y: -panStep },
};

/** The element's current size, and a function that converts a pointer position to one relative to its middle. */
function usePane() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(none);
  useEffect(() => {
    const { current } = ref;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const pointOf = (event: { readonly clientX: number; readonly clientY: number }): Point => {
    const box = ref.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return {
      x: event.clientX - box.left - box.width / 2,
      y: event.clientY - box.top - box.height / 2,
    };
  };
  return { ref, size, pointOf } as const;
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function VerdictLabel({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return null;
  const isAccepted = verdict === 'accepted';
  const Icon = isAccepted ? Check : X;
  return (
    <span className={`inline-flex items-center gap-1 text-12 ${isAccepted ? 'text-up' : 'text-down'}`}>
      <Icon size={13} aria-hidden="true" />
      {isAccepted ? 'Accepted' : 'Refused'}
    </span>
  );
}

function MiniMap({ part }: { readonly part: Point & Size }) {
  const percent = (share: number) => `${share * 100}%`;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute right-2 bottom-2 h-12 w-[76px] rounded-[4px] border border-line-strong bg-canvas/80"
    >
      <span
        className="absolute rounded-[2px] border border-accent bg-accent/25"
        style={{
          left: percent(part.x),
          top: percent(part.y),
          width: percent(part.width),
          height: percent(part.height),
        }}
      />
    </span>
  );
}

export function PicturePane({
  document: kind,
  number,
  title,
  picture,
  verdict,
  placement,
  onPlacementChange,
  onFocus,
  onReload,
  isCurrent,
}: PicturePaneProps) {
  const { ref, size: pane, pointOf } = usePane();
  const [natural, setNatural] = useState(none);
  const isReady = picture.state === 'ready' && natural.width > 0;
  const changePlacement = (change: (placement: Placement) => Placement) =>
    onPlacementChange((before) =>
      clampPlacement(change(clampPlacement(before, natural, pane)), natural, pane),
    );
  const at = clampPlacement(placement, natural, pane);
  const part = isReady ? getVisiblePart(at, natural, pane) : null;

  // React's own listener is passive and cannot prevent the page from scrolling.
  const onWheel = useRef<(event: WheelEvent) => void>(() => {});
  onWheel.current = (event) => {
    if (!isReady) return;
    event.preventDefault();
    const factor = event.deltaY < 0 ? zoomStep : 1 / zoomStep;
    changePlacement((before) => zoomBy(before, factor, pointOf(event)));
  };
  useEffect(() => {
    const { current } = ref;
    const listen = (event: WheelEvent) => onWheel.current(event);
    current?.addEventListener('wheel', listen, { passive: false });
    return () => current?.removeEventListener('wheel', listen);
  }, [ref]);

  const pointers = useRef(new Map<number, Point>());
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, pointOf(event));
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    const [other] = [...pointers.current].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    pointers.current.set(event.pointerId, now);
    if (other === undefined) {
      changePlacement((held) => panBy(held, { x: now.x - before.x, y: now.y - before.y }));
      return;
    }
    const [from, to] = [between(before, other), between(now, other)];
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    changePlacement((held) => panBy(zoomBy(held, factor, from), { x: to.x - from.x, y: to.y - from.y }));
  };
  const onPointerEnd = (event: PointerEvent) => pointers.current.delete(event.pointerId);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const arrow = arrows[key];
    if (arrow) changePlacement((before) => panBy(before, arrow));
    else if (key === '+' || key === '=') changePlacement((before) => zoomBy(before, zoomStep));
    else if (key === '-' || key === '_') changePlacement((before) => zoomBy(before, 1 / zoomStep));
    else if (key === '0') changePlacement(({ quarters }) => ({ ...initialPlacement, quarters }));
    else if (key === 'r') changePlacement((before) => rotate(before, 'clockwise'));
    else if (key === 'R') changePlacement((before) => rotate(before, 'counterclockwise'));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const factor = getFitScale(natural, pane, at.quarters) * at.scale;
  return (
    <section
      aria-label={title}
      onFocus={onFocus}
      className={`flex min-h-0 min-w-0 flex-col overflow-hidden rounded-control border ${
        isCurrent ? 'border-accent ring-1 ring-accent' : 'border-line'
      }`}
    >
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface pr-1 pl-2.5 max-md:h-11">
        <kbd className="grid size-[18px] shrink-0 place-items-center rounded-[4px] border border-line-strong text-11 text-text-3 max-md:hidden">
          {number}
        </kbd>
        <h3 className="truncate text-12 font-semibold">{title}</h3>
        {natural.width > 0 ? (
          <span className="figures text-11 whitespace-nowrap text-text-3 max-2xl:hidden xl:inline">
            {`${natural.width} × ${natural.height}`}
          </span>
        ) : null}
        <span className="ml-auto inline-flex items-center gap-1">
          <VerdictLabel verdict={verdict} />
          <IconButton
            label={`Rotate ${title} counterclockwise`}
            onClick={() => changePlacement((before) => rotate(before, 'counterclockwise'))}
            className="!size-7 max-md:!size-11"
          >
            <RotateCcw size={14} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={`Rotate ${title} clockwise`}
            onClick={() => changePlacement((before) => rotate(before, 'clockwise'))}
            className="!size-7 max-md:!size-11"
          >
            <RotateCw size={14} aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      <div
        ref={ref}
        id={`kyc-pane-${kind}`}
        role="application"
        aria-roledescription="picture"
        aria-label={`${title}: plus and minus zoom, arrows move, R rotates, 0 fits`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it handles keys, as its accessible name states
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        data-scale={at.scale.toFixed(2)}
        data-quarters={at.quarters}
        className={`relative min-h-0 grow touch-none overflow-hidden bg-canvas -outline-offset-2 select-none ${
          at.scale > 1 ? 'cursor-grab active:cursor-grabbing' : ''
        }`}
      >
        {picture.state === 'loading' ? <Skeleton className="absolute inset-3" /> : null}
        {picture.state === 'failed' ? (
          <div
            role="alert"
            className="absolute inset-0 flex flex-col items-center justify-center gap-2 text-13"
          >
            The picture failed to load.
            <Button size="compact" onClick={onReload}>
              Load it again
            </Button>
          </div>
        ) : null}
        {picture.state === 'ready' ? (
          <img
            src={picture.src}
            alt={title}
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setNatural({ width: naturalWidth, height: naturalHeight })
            }
            className="absolute top-1/2 left-1/2 max-w-none"
            style={{
              width: natural.width * factor,
              height: natural.height * factor,
              transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px) rotate(${at.quarters * 90}deg)`,
            }}
          />
        ) : null}
        {part === null ? null : <MiniMap part={part} />}
      </div>
    </section>
  );
}
