/**
 * The drawing tools beside the chart, one tab stop that arrow keys walk through. A tool chosen with the pointer waits
 * for clicks on the chart. Chosen with the keyboard, it puts its drawing into the middle, and arrow keys move it.
 */
import Brush from 'lucide-react/icons/brush';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import HorizontalLine from 'lucide-react/icons/git-commit-horizontal';
import Lock from 'lucide-react/icons/lock';
import Magnet from 'lucide-react/icons/magnet';
import MousePointer from 'lucide-react/icons/mouse-pointer-2';
import Plus from 'lucide-react/icons/plus';
import Rectangle from 'lucide-react/icons/rectangle-horizontal';
import Fibonacci from 'lucide-react/icons/rows-3';
import Ruler from 'lucide-react/icons/ruler';
import Lines from 'lucide-react/icons/sliders-horizontal';
import Trash from 'lucide-react/icons/trash-2';
import TrendingUp from 'lucide-react/icons/trending-up';
import TextIcon from 'lucide-react/icons/type';
import { type ComponentType, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { Button, Dialog } from '../../../../shared/ui/index.ts';
import { type DrawingTool, drawingTools, toolNames } from './drawing.ts';
import type { ChartController } from './useChartController.ts';

const toolIcons: Readonly<Record<DrawingTool, ComponentType<{ size: number; 'aria-hidden': 'true' }>>> = {
  trend: TrendingUp,
  horizontal: HorizontalLine,
  fibonacci: Fibonacci,
  rectangle: Rectangle,
  brush: Brush,
  ruler: Ruler,
  text: TextIcon,
};

interface RailButtonProps {
  readonly label: string;
  /** Left out for a command; set for a toggle. */
  readonly isActive?: boolean;
  readonly muted?: boolean;
  readonly onClick: (event: MouseEvent) => void;
  readonly children: ReactNode;
}

function RailButton({ label, isActive, muted = false, onClick, children }: RailButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isActive}
      aria-disabled={muted || undefined}
      title={label}
      tabIndex={-1}
      onClick={(event) => {
        if (!muted) onClick(event);
      }}
      className="grid size-[30px] shrink-0 place-items-center rounded-control text-text-2 transition-colors -outline-offset-2 hover:bg-raised hover:text-text aria-disabled:text-text-3 aria-disabled:opacity-60 aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11 max-md:w-full max-md:grid-cols-[20px_1fr] max-md:gap-2.5 max-md:px-3"
    >
      {children}
      {/* Touch has no hover to show an icon's tooltip. */}
      <span aria-hidden="true" className="justify-self-start text-left text-13 md:hidden">
        {label}
      </span>
    </button>
  );
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/** One button has the tab stop: the one focused last, else the first. */
function useRovingTabIndex() {
  const [stop, setStop] = useState<HTMLElement | null>(null);
  const ref = (toolbar: HTMLElement | null) => {
    const buttons = [...(toolbar?.querySelectorAll<HTMLElement>('button') ?? [])];
    const current = stop && buttons.includes(stop) ? stop : buttons[0];
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
    const index = buttons.indexOf(event.target);
    const step = keySteps[event.key];
    const last = buttons.length - 1;
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? null : index + step;
    if (index < 0 || next === null) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length]?.focus();
  };
  const onFocus = ({ target }: { readonly target: EventTarget }) => {
    if (target instanceof HTMLElement) setStop(target);
  };
  return { ref, onKeyDown, onFocus };
}

function DeleteAll({ controller }: { readonly controller: ChartController }) {
  const [isConfirming, setConfirming] = useState(false);
  const count = controller.settings.drawings.length;
  const drawings = count === 1 ? 'drawing' : 'drawings';
  return (
    <>
      <RailButton label="Delete all drawings" muted={count === 0} onClick={() => setConfirming(true)}>
        <Trash size={16} aria-hidden="true" />
      </RailButton>
      <Dialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Delete ${count} ${drawings}?`}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>Cancel</Button>
            <Button
              tone="down"
              onClick={() => {
                controller.deleteAll();
                setConfirming(false);
              }}
            >
              Delete
            </Button>
          </>
        }
      >
        <p className="text-13 text-text-2">{`Everything drawn on the chart of ${controller.symbol}. Undo brings it back while this page is open.`}</p>
      </Dialog>
    </>
  );
}

interface ToolRailProps {
  readonly controller: ChartController;
  /** `row` is for a popover on a narrow chart. */
  readonly direction: 'column' | 'row';
  /** Called after a tool is chosen, so that a popover over the chart can close. */
  readonly onChosen?: () => void;
}

export function ToolRail({ controller, direction, onChosen }: ToolRailProps) {
  const roving = useRovingTabIndex();
  const { settings, change, tool } = controller;
  const { magnet, lines, locked, hidden } = settings;
  const isColumn = direction === 'column';
  const choose = (next: DrawingTool | null) => (event: MouseEvent) => {
    // Enter and Space cause a click without a pointer.
    if (next !== null && event.detail === 0) controller.drawAtCentre(next);
    else controller.choose(next);
    onChosen?.();
  };
  const line = <span aria-hidden="true" className={isColumn ? 'my-1 h-px w-6 shrink-0 bg-line' : 'hidden'} />;
  return (
    <div
      {...roving}
      role="toolbar"
      aria-label="Drawing tools"
      aria-orientation={isColumn ? 'vertical' : 'horizontal'}
      className={
        isColumn
          ? 'flex w-10 shrink-0 flex-col items-center gap-0.5 overflow-y-auto border-r border-line py-1.5 [scrollbar-width:none]'
          : 'flex max-w-[260px] flex-wrap gap-1 max-md:grid max-md:w-[min(260px,80vw)] max-md:gap-0'
      }
    >
      <RailButton label="Crosshair" isActive={tool === null} onClick={choose(null)}>
        <Plus size={18} aria-hidden="true" />
      </RailButton>
      {line}
      {drawingTools.map((one) => {
        const Icon = toolIcons[one];
        return (
          <RailButton key={one} label={toolNames[one]} isActive={tool === one} onClick={choose(one)}>
            <Icon size={16} aria-hidden="true" />
          </RailButton>
        );
      })}
      {isColumn ? <span className="grow" /> : null}
      <RailButton
        label="Select next drawing"
        muted={settings.drawings.length === 0}
        onClick={() => {
          controller.selectNext();
          onChosen?.();
        }}
      >
        <MousePointer size={16} aria-hidden="true" />
      </RailButton>
      <RailButton label="Magnet" isActive={magnet} onClick={() => change({ magnet: !magnet })}>
        <Magnet size={16} aria-hidden="true" />
      </RailButton>
      <RailButton
        label="Positions and orders on the chart"
        isActive={lines}
        onClick={() => change({ lines: !lines })}
      >
        <Lines size={16} aria-hidden="true" />
      </RailButton>
      <RailButton label="Lock drawings" isActive={locked} onClick={() => change({ locked: !locked })}>
        <Lock size={16} aria-hidden="true" />
      </RailButton>
      <RailButton label="Hide drawings" isActive={hidden} onClick={() => change({ hidden: !hidden })}>
        {hidden ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
      </RailButton>
      <DeleteAll controller={controller} />
    </div>
  );
}
