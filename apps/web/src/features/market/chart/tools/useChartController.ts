/**
 * The state that a chart's toolbar, rail and canvas share: the active tool, the selected drawing, and the actions on
 * them. The store holds the pair's settings. Tool and selection last as long as the chart is shown and reset with a
 * change of pair.
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
import { type AddedStudy, addedMax, defaultAdded, isExtraStudy, type StudyId } from '../settings/studies.ts';
import type { StudyButton } from '../study-legend.ts';
import type { Drawing, DrawingChange, DrawingTool } from './drawing.ts';
import type { ShownDrawings } from './drawing-layer.ts';
import type { Drawings } from './useDrawingLayer.ts';

export interface ChartController {
  readonly symbol: string;
  readonly settings: ChartSettings;
  readonly change: (change: Partial<Omit<ChartSettings, 'drawings'>>) => void;
  /** Whether the indicators panel is open, and the study whose settings it shows. */
  readonly studyPanel: StudyPanel;
  readonly showStudyPanel: (panel: StudyPanel) => void;
  /** Adds a study to the chart, or removes it with its settings. */
  readonly toggleStudy: (id: StudyId, isOn: boolean) => void;
  /** Hides a study on the chart, or shows it again. */
  readonly concealStudy: (id: StudyId, isConcealed: boolean) => void;
  readonly changeStudy: (study: AddedStudy) => void;
  readonly onStudyButton: (id: StudyId, button: StudyButton) => void;
  readonly tool: DrawingTool | null;
  /** Activates a tool; null is the crosshair. */
  readonly choose: (tool: DrawingTool | null) => void;
  /** Draws in the middle of the chart, for the keyboard. */
  readonly drawAtCentre: (tool: DrawingTool) => void;
  readonly selected: Drawing | null;
  /** True when the drawing was selected by keyboard, which then moves it. */
  readonly isSelectedByKey: boolean;
  readonly select: (id: string | null) => void;
  /** Selects the next drawing, for the keyboard. */
  readonly selectNext: () => void;
  readonly changeSelected: (change: DrawingChange) => void;
  readonly deleteSelected: () => void;
  readonly deleteAll: () => void;
  /** Moves the selected drawing by bars and by hundredths of the height. */
  readonly nudge: (bars: number, steps: number) => void;
  readonly canUndo: boolean;
  readonly undo: () => void;
  /** The newest price and its height on the chart; null while there is no chart. */
  readonly lastPrice: () => { readonly price: number; readonly y: number } | null;
  /** A PNG of the canvas as a data URL; null while there is no chart. */
  readonly picture: () => string | null;
  readonly drawings: Drawings;
}

export interface StudyPanel {
  readonly isOpen: boolean;
  readonly study: StudyId | null;
}

interface ToolState {
  /** The symbol of the chart that the tool was activated on. */
  readonly symbol: string;
  readonly tool: DrawingTool | null;
  readonly selected: string | null;
  readonly byKey: boolean;
}

const noTool = { tool: null, selected: null, byKey: false } as const;
const isSame = (one: Drawing, other: Drawing) => one.id === other.id;

export function useChartController(symbol: string): ChartController {
  const settings = useChartSettings(symbol);
  const canUndo = useCanUndo(symbol);
  const chart = useRef<CandleChart | null>(null);
  const [storedToolState, setToolState] = useState<ToolState>({ symbol, ...noTool });
  const toolState = storedToolState.symbol === symbol ? storedToolState : { symbol, ...noTool };
  const { tool } = toolState;
  const selected = settings.drawings.find(({ id }) => id === toolState.selected) ?? null;
  const selectedId = settings.hidden ? null : (selected?.id ?? null);

  const select = useCallback(
    (id: string | null) =>
      setToolState((now) => {
        // The canvas repeats a selection that it was given.
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
      setToolState({ symbol, tool: null, selected: drawing.id, byKey });
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

  const [studyPanel, showStudyPanel] = useState<StudyPanel>({ isOpen: false, study: null });
  const { shown: ownShown, added, concealed } = settings;
  const toggleStudy = (id: StudyId, isOn: boolean) => {
    // A study that is added again is visible.
    const rest = { concealed: concealed.filter((one) => one !== id) };
    if (!isExtraStudy(id)) return changeChart(symbol, { ...rest, shown: { ...ownShown, [id]: isOn } });
    const others = added.filter(({ name }) => name !== id);
    if (isOn && others.length >= addedMax) return;
    changeChart(symbol, { ...rest, added: isOn ? [...others, defaultAdded(id, others.length)] : others });
  };
  const concealStudy = (id: StudyId, isConcealed: boolean) => {
    const others = concealed.filter((one) => one !== id);
    changeChart(symbol, { concealed: isConcealed ? [...others, id] : others });
  };

  return {
    symbol,
    settings,
    change: (change) => changeChart(symbol, change),
    studyPanel,
    showStudyPanel,
    toggleStudy,
    concealStudy,
    changeStudy: (study) =>
      changeChart(symbol, { added: added.map((one) => (one.name === study.name ? study : one)) }),
    onStudyButton: (id, button) => {
      if (button === 'remove') toggleStudy(id, false);
      else if (button === 'visibility') concealStudy(id, !concealed.includes(id));
      else showStudyPanel({ isOpen: true, study: id });
    },
    tool,
    choose: (next) => {
      // Drawing shows hidden drawings again.
      if (next !== null && hidden) changeChart(symbol, { hidden: false });
      setToolState({ symbol, ...noTool, tool: next === tool ? null : next });
    },
    drawAtCentre: (next) => {
      if (hidden) changeChart(symbol, { hidden: false });
      const drawing = chart.current?.drawings.createCentred(next);
      if (drawing) add(drawing, true);
    },
    selected: selectedId === null ? null : selected,
    isSelectedByKey: toolState.byKey,
    select,
    selectNext: () => {
      const index = drawings.findIndex(({ id }) => id === selectedId);
      const next = drawings[(index + 1) % drawings.length];
      if (!next) return;
      if (hidden) changeChart(symbol, { hidden: false });
      setToolState({ symbol, tool: null, selected: next.id, byKey: true });
    },
    changeSelected: (changed) => {
      if (selected) move({ ...selected, ...changed });
    },
    deleteSelected: () => changeDrawings(symbol, (all) => all.filter(({ id }) => id !== selectedId)),
    deleteAll: () => changeDrawings(symbol, (all) => (all.length === 0 ? all : [])),
    nudge: (bars, steps) => {
      if (!selected || locked) return;
      const moved = chart.current?.drawings.nudge(selected, bars, steps);
      if (moved) move(moved);
    },
    canUndo,
    undo: () => undoDrawing(symbol),
    lastPrice: () => chart.current?.lastPrice() ?? null,
    picture: () => chart.current?.picture() ?? null,
    drawings: { shown, tool, onChart, onDrawn, onMoved: move, onSelect: select },
  };
}
