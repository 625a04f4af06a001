/** The width of the price axis, px. A file of its own, because the elements over the chart need it without the library. */
export const axisWidthPx = 74;
