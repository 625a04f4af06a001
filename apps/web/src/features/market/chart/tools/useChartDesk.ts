/**
 * What a chart's toolbar, rail and canvas share: the tool in hand, the drawing that is selected, and the deeds on them. The
 * pair's settings are the store's; tool and selection live as long as the chart is shown and end with a change of pair.
 */
import { useCallback, useMemo, useRef, useState } from 'react';
import type { CandleChart } from '../candle-chart.ts';
import type { ChartSettings } from '../settings/chart-settings.ts';
import {
  changeChart,
  changeDrawings,
  undoDrawing,
  useCanUndo,
  useChartSettings,
} from '../settings/charts-store.ts';
import type { Drawing, DrawingTool } from './drawing.ts';
import type { ShownDrawings } from './drawing-layer.ts';
import type { Drawings } from './useDrawingLayer.ts';

export interface ChartDesk {
  readonly symbol: string;
  readonly settings: ChartSettings;
  readonly change: (change: Partial<Omit<ChartSettings, 'drawings'>>) => void;
  readonly tool: DrawingTool | null;
  /** Takes a tool in hand, or puts it away; null is the crosshair. */
  readonly choose: (tool: DrawingTool | null) => void;
  /** Draws in the middle of the chart, for those without a pointer. */
  readonly place: (tool: DrawingTool) => void;
  readonly selected: Drawing | null;
  /** Whether it was selected with the keyboard, which then goes on with it. */
  readonly isSelectedByKey: boolean;
  readonly select: (id: string | null) => void;
  /** Takes the drawings in turn, for those without a pointer. */
  readonly selectNext: () => void;
  readonly deleteSelected: () => void;
  readonly deleteAll: () => void;
  /** Moves the selected drawing by bars and by hundredths of the height. */
  readonly nudge: (bars: number, steps: number) => void;
  readonly canUndo: boolean;
  readonly undo: () => void;
  /** A PNG of the canvas as a data URL; null while there is no chart. */
  readonly picture: () => string | null;
  readonly drawings: Drawings;
}

interface Hand {
  /** Whose chart it was taken in hand on. */
  readonly symbol: string;
  readonly tool: DrawingTool | null;
  readonly selected: string | null;
  readonly byKey: boolean;
}

const emptyHand = { tool: null, selected: null, byKey: false } as const;
const isSame = (one: Drawing, other: Drawing) => one.id === other.id;

export function useChartDesk(symbol: string): ChartDesk {
  const settings = useChartSettings(symbol);
  const canUndo = useCanUndo(symbol);
  const chart = useRef<CandleChart | null>(null);
  const [held, setHand] = useState<Hand>({ symbol, ...emptyHand });
  const hand = held.symbol === symbol ? held : { symbol, ...emptyHand };
  const { tool } = hand;
  const selected = settings.drawings.find(({ id }) => id === hand.selected) ?? null;
  const selectedId = settings.hidden ? null : (selected?.id ?? null);

  const select = useCallback(
    (id: string | null) =>
      setHand((now) => {
        // The canvas says again what it was told.
        if (now.symbol === symbol && now.selected === id) return now;
        return {
          symbol,
          tool: id === null && now.symbol === symbol ? now.tool : null,
          selected: id,
          byKey: false,
        };
      }),
    [symbol],
  );
  const add = useCallback(
    (drawing: Drawing, byKey = false) => {
      changeDrawings(symbol, (all) => [...all, drawing]);
      setHand({ symbol, tool: null, selected: drawing.id, byKey });
    },
    [symbol],
  );
  const onDrawn = useCallback((drawing: Drawing) => add(drawing), [add]);
  const move = useCallback(
    (drawing: Drawing) =>
      changeDrawings(symbol, (all) => all.map((one) => (isSame(one, drawing) ? drawing : one))),
    [symbol],
  );
  const onChart = useCallback((next: CandleChart | null) => {
    chart.current = next;
  }, []);
  const { drawings, magnet, locked, hidden } = settings;
  const shown = useMemo<ShownDrawings>(
    () => ({ drawings, magnet, locked, hidden, selected: selectedId }),
    [drawings, magnet, locked, hidden, selectedId],
  );

  return {
    symbol,
    settings,
    change: (change) => changeChart(symbol, change),
    tool,
    choose: (next) => {
      // What is drawn has to be seen.
      if (next !== null && hidden) changeChart(symbol, { hidden: false });
      setHand({ symbol, ...emptyHand, tool: next === tool ? null : next });
    },
    place: (next) => {
      if (hidden) changeChart(symbol, { hidden: false });
      const drawing = chart.current?.drawings.placed(next);
      if (drawing) add(drawing, true);
    },
    selected: selectedId === null ? null : selected,
    isSelectedByKey: hand.byKey,
    select,
    selectNext: () => {
      const place = drawings.findIndex(({ id }) => id === selectedId);
      const next = drawings[(place + 1) % drawings.length];
      if (!next) return;
      if (hidden) changeChart(symbol, { hidden: false });
      setHand({ symbol, tool: null, selected: next.id, byKey: true });
    },
    deleteSelected: () => changeDrawings(symbol, (all) => all.filter(({ id }) => id !== selectedId)),
    deleteAll: () => changeDrawings(symbol, (all) => (all.length === 0 ? all : [])),
    nudge: (bars, steps) => {
      if (!selected || locked) return;
      const moved = chart.current?.drawings.nudged(selected, bars, steps);
      if (moved) move(moved);
    },
    canUndo,
    undo: () => undoDrawing(symbol),
    picture: () => chart.current?.picture() ?? null,
    drawings: { shown, tool, onChart, onDrawn, onMoved: move, onSelect: select },
  };
}
