/** Connects a chart's canvas to the controller of its drawings. */
import { useEffect } from 'react';
import type { CandleChart } from '../candle-chart.ts';
import type { DrawingTool } from './drawing.ts';
import type { DrawingEvents, ShownDrawings } from './drawing-layer.ts';

export interface Drawings extends DrawingEvents {
  readonly shown: ShownDrawings;
  readonly tool: DrawingTool | null;
  /** Receives the chart that the drawings are on; null after it is gone. */
  readonly onChart: (chart: CandleChart | null) => void;
}

export function useDrawingLayer(chart: CandleChart | null, drawings: Drawings | undefined): void {
  const onChart = drawings?.onChart;
  const shown = drawings?.shown;
  const tool = drawings?.tool ?? null;
  useEffect(() => {
    if (!chart || !onChart) return;
    onChart(chart);
    return () => onChart(null);
  }, [chart, onChart]);
  useEffect(() => {
    if (drawings) chart?.drawings.setEvents(drawings);
  }, [chart, drawings]);
  useEffect(() => {
    if (shown) chart?.drawings.show(shown);
  }, [chart, shown]);
  useEffect(() => {
    chart?.drawings.begin(tool);
    return () => chart?.drawings.begin(null);
  }, [chart, tool]);
}
