export function HeatmapWidget() {
  return null;
}
